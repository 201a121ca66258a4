// Stage is a picture on a page: renderer, scene and camera. It draws only when something changed.
import { Box3, Scene, WebGLRenderer } from "three";
import { Camera } from "./camera";

// slow (ms) is the time of a frame from which the picture does without smooth edges.
const slow = 100;

// smooth is kept for the next stage of the page: antialias is fixed for the life of a context.
let smooth = true;

// submitsKept is the number of times in Stage.submits.
const submitsKept = 600;

export class Stage {
  readonly scene = new Scene();
  readonly camera = new Camera(() => this.invalidate());
  canvas: HTMLCanvasElement;
  frames = 0; // drawn so far
  drawn = () => {}; // runs after each frame
  readonly submits: number[] = []; // ms of the main thread for each of the last frames
  private renderer: WebGLRenderer;
  private due = 0;
  private probed = false;
  private dead = false;
  private readonly sizes: ResizeObserver;
  private readonly box = new Box3();

  // The host must have a size. built runs for each canvas: a slow one is replaced once by another. lost runs when the
  // browser takes the context away; the stage is of no use then. An Error is thrown where there is no WebGL.
  constructor(
    readonly host: HTMLElement,
    private readonly built: (canvas: HTMLCanvasElement, camera: Camera) => void,
    private readonly lost: () => void,
  ) {
    [this.canvas, this.renderer] = this.build();
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(host);
    this.resize();
    built(this.canvas, this.camera);
  }

  // invalidate has the scene drawn with the next frame of the page.
  invalidate(): void {
    if (this.due === 0 && !this.dead) this.due = requestAnimationFrame(() => this.draw());
  }

  // fit shows a box, mm, as large as possible. It becomes what the limits of the zoom go by.
  fit(box: Box3): void {
    this.box.copy(box);
    this.camera.around(box);
    this.camera.fit(box);
  }

  // again fits the last box.
  again(): void {
    if (!this.box.isEmpty()) this.camera.fit(this.box);
  }

  dispose(): void {
    if (this.dead) return;
    this.dead = true;
    cancelAnimationFrame(this.due);
    this.sizes.disconnect();
    this.drop();
  }

  private drop(): void {
    this.canvas.remove();
    this.canvas.removeEventListener("webglcontextlost", this.onLost);
    this.renderer.dispose();
    this.renderer.forceContextLoss(); // browsers bound the number of contexts
  }

  private readonly onLost = (e: Event) => {
    e.preventDefault();
    this.dispose();
    this.lost();
  };

  private build(): [HTMLCanvasElement, WebGLRenderer] {
    const canvas = document.createElement("canvas");
    canvas.addEventListener("webglcontextlost", this.onLost);
    const renderer = new WebGLRenderer({ canvas, antialias: smooth, alpha: true, powerPreference: "high-performance" });
    renderer.setClearColor(0, 0);
    this.host.prepend(canvas);
    return [canvas, renderer];
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.camera.resize(width, height);
  }

  private draw(): void {
    this.due = 0;
    const start = performance.now();
    this.renderer.render(this.scene, this.camera.three);
    this.frames++;
    this.submits.push(performance.now() - start);
    if (this.submits.length > submitsKept) this.submits.shift();
    this.drawn();
    if (!this.probed && smooth && this.scene.children.length > 0) this.probe();
  }

  // probe takes the time of one whole frame, which the card must have finished before a pixel can be read.
  private probe(): void {
    this.probed = true;
    const gl = this.renderer.getContext();
    const finish = () => gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    finish();
    const start = performance.now();
    this.renderer.render(this.scene, this.camera.three);
    finish();
    if (performance.now() - start < slow) return;
    smooth = false;
    this.drop();
    [this.canvas, this.renderer] = this.build();
    this.resize();
    this.built(this.canvas, this.camera);
    this.invalidate();
  }
}
