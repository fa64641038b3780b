"""Objects that expose an interface's dict, which came as JSON."""


class Exposes:
    pass


def _descr(entries):
    def entry(name, kind, *shape):
        name = tuple(name) if isinstance(name, list) else name
        kind = _descr(kind) if isinstance(kind, list) else kind
        return (name, kind, *map(tuple, shape))

    return [entry(*parts) for parts in entries]


def typed(interface):
    """The dict with Python's types: tuples where JSON has lists."""
    return {
        key: _descr(value) if key == "descr" else tuple(value) if isinstance(value, list) else value
        for key, value in interface.items()
    }


def exposed(protocol, interface):
    producer = Exposes()
    setattr(producer, protocol, typed(interface))
    return producer
