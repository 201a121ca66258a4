// Scene shows the states of a playback in the picture. A picture that the browser takes away is built again once.
import type { Box } from "../programtypes";
import { habitOf, viewer } from "../pictureview";
import type { View } from "../viewer/camera";
import type { PlaybackView } from "../viewer/playback";
import type { Fault } from "./fault";
import type { At, Point, Ready, Trace } from "./wire";

// rebuilds is the number of times that a lost picture is built again.
const rebuilds = 1;

export interface SceneEvents {
  viewed(view: View): void; // the camera has moved
  picked(second: number): void; // a place of the path
  absent(sentence: string, again: boolean): void; // there is no picture, "" = there is one; again: another try can help
}

const corner = (v: { x: number; y: number; z: number }): Point => [v.x, v.y, v.z];

export class Scene {
  private view: PlaybackView | null = null;
  private at: At | null = null;
  private fault: Fault = { zones: [], jaws: false };
  private whole: Trace | null = null;
  private isCompared = false;
  private tool = -1; // number of the one that is drawn
  private isShown = true; // the surface has been drawn
  private losses = 0;
  private isOver = false;

  constructor(
    private readonly host: HTMLElement, private readonly ready: Ready, private readonly jaws: readonly Box[],
    private saved: View | null, private readonly on: SceneEvents,
  ) {
    void this.build();
  }

  // show draws a state. Without a surface the picture stays as it is.
  show(at: At, fault: Fault): void {
    if (!at.surface) return;
    this.at = at;
    this.fault = fault;
    this.draw();
  }

  // isDrawn reports whether the picture can take another state.
  get isDrawn(): boolean {
    return this.view === null || this.isShown;
  }

  compare(is: boolean): void {
    this.isCompared = is;
    this.view?.compare(is);
  }

  showWhole(of: Trace | null): void {
    this.whole = of;
    this.view?.showWhole(of);
  }

  fit(): void {
    this.view?.stage.again();
  }

  standard(key: number): void {
    this.view?.standard(key);
  }

  // again tries once more to build the picture.
  again(): void {
    this.losses = 0;
    void this.build();
  }

  close(): void {
    this.isOver = true;
    this.view?.close();
    this.view = null;
  }

  private async build(): Promise<void> {
    let code;
    try {
      code = await viewer();
    } catch {
      if (!this.isOver) this.on.absent("The picture cannot be loaded. Check the connection.", true);
      return;
    }
    if (this.isOver) return;
    try {
      this.view = new code.PlaybackView(this.host, habitOf, {
        viewed: (v) => {
          this.saved = v;
          this.on.viewed(v);
        },
        picked: (second) => this.on.picked(second),
        drawn: () => (this.isShown = true),
        lost: () => this.lost(),
      });
    } catch {
      this.on.absent("This browser shows no 3D: WebGL is off or missing. Times, moves and lines are all here.", false);
      return;
    }
    const boxes = this.jaws.map((b) => ({ min: corner(b.min), max: corner(b.max) }));
    this.view.setScene(this.ready.box, boxes);
    if (this.saved) this.view.camera.view = this.saved;
    this.view.compare(this.isCompared);
    this.view.showWhole(this.whole);
    this.tool = -1;
    this.draw();
    this.on.absent("", false);
  }

  private lost(): void {
    this.view = null;
    if (this.isOver) return;
    if (this.losses++ < rebuilds) void this.build();
    else this.on.absent("The browser has taken the picture away twice; its graphics are short of memory.", true);
  }

  private draw(): void {
    const { view, at } = this;
    if (!view || !at) return;
    const { tool } = this.ready.operations[at.operation]!;
    if (tool !== this.tool) view.setTool(this.ready.tools.find((t) => t.number === tool) ?? null);
    this.tool = tool;
    view.setFault(this.fault);
    this.isShown = false;
    view.show(at.tip, at.surface, at.trace);
  }
}
