// Runs a journey in any runtime: `run.mjs <journey> <connection as JSON> <order>`.
import { argv } from 'node:process';
import * as journeys from './out/journey.js';

const [, , name, connection, order] = argv;
console.log(JSON.stringify(await journeys[name](JSON.parse(connection), order)));
