// Registers every check, in the order in which they run.
import './answers.mjs';
import './pointers.mjs';
import './memory.mjs';
import './copies.mjs';
import './tiles.mjs';
import './drawn.mjs';
import './streams.mjs';
import './stream-rule.mjs';
import './loans.mjs';
import './launches.mjs';
import './stranger.mjs';
import './flat.mjs';
import './processes.mjs';
