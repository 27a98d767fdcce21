export { World } from './world/world.js';
