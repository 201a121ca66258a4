// The bundle with three.js. Only pages with a picture load it.
export { standardViews } from "./camera";
export { habits } from "./pointer";
export { load, PartView } from "./part";
export { PlaybackView } from "./playback";
export { Stage } from "./stage";
