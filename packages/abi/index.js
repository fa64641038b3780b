'use strict';

const { join } = require('node:path');

exports.include = join(__dirname, 'include');
exports.arrayCapsule = Symbol.for('array-interface.array');
