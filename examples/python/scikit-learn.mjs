import { host } from '@array-interface/host';
import { startPython } from '@array-interface/python';

// node scikit-learn.mjs VENV: a forest learns from our array, in two processes of joblib's.
const python = startPython({ venv: process.argv[2] });
const datasets = python.import('sklearn.datasets');
const ensemble = python.import('sklearn.ensemble');
const selection = python.import('sklearn.model_selection');

const [points, classes] = datasets.callMethod('make_moons', [200], { random_state: 0 });
const ours = await host.array(host.asArray(points)); // a copy
const samples = python.toPython(ours, { as: 'numpy' });
const forest = ensemble.callMethod('RandomForestClassifier', [20], { random_state: 0 });
const options = { cv: 4, n_jobs: 2 };
const scores = selection.callMethod('cross_val_score', [forest, samples, classes], options);
console.log(scores.length, scores.callMethod('mean') > 0.9); // 4 true

forest.callMethod('fit', [samples, classes]);
const predicted = host.asArray(forest.callMethod('predict', [[[0, 1]]]));
console.log(await host.toTypedArray(predicted)); // BigInt64Array(1) [ 0n ]
