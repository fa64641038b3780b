import { startPeers } from './python.mjs';

/** Peers that start when they are first asked for: their imports would slow what is measured before. */
export function latePeers(program, environment) {
  let peers = null;
  const started = () => {
    peers ??= startPeers(program, environment);
    return peers;
  };
  return {
    contender: (request) => started().contender(request),
    end: () => peers?.end(),
    missing: () => started().missing,
  };
}
