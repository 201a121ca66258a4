// The pages of the shop, which are loaded together.
export { CutConfigPage } from "./cutconfig";
export { HolderPage } from "./holder";
export { LibraryPage } from "./library";
export { Shop } from "./shop";
