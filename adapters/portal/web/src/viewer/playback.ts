// PlaybackView is the picture of a playback: stock, tool, jaws and path on a stage, in the frame of the setup.
import {
  Box3, BoxGeometry, BufferAttribute, BufferGeometry, Color, GLSL3, LatheGeometry, Line, LineBasicMaterial, Mesh,
  Raycaster, ShaderMaterial, Vector2, Vector3, Group,
} from "three";
import type { Fault } from "../playback/fault";
import type { Point, Surface, ToolShape, Trace } from "../playback/wire";
import { standardViews, type Camera, type View } from "./camera";
import { secondNear } from "./pathpick";
import { steer, type Habit } from "./pointer";
import { Stage } from "./stage";

// Colors as those of the files of paths: rapids and links, moves down, onto and off a cut, and cuts.
const rapid = [0.93, 0.69, 0.13], entry = [0.8, 0.25, 0.33], cutting = [0.0, 0.45, 0.7];
const colorOf = (kind: number) => (kind === 0 || kind === 6 ? rapid : kind >= 2 && kind <= 5 ? entry : cutting);

const stockColor = 0xa8adb5, jawColor = 0x6b7684, fluteColor = 0xd9b44a, bodyColor = 0xb9c1c9, holderColor = 0x5d6873;
const faultColor = 0xd6402f;

// wholeOpacity is that of the whole path of an operation, which is drawn through the stock.
const wholeOpacity = 0.7;

// roomForTool is the height that is shown above the stock, as a share of its diagonal.
const roomForTool = 0.25;

const vertexShader = `
in float mark;
out vec3 face;
flat out int marked;
void main() {
  marked = int(mark + 0.5);
  face = normalMatrix * normal;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const fragmentShader = `
uniform vec3 tone;
uniform float opacity;
uniform bool compared;
in vec3 face;
flat in int marked;
out vec4 color;
void main() {
  vec3 n = normalize(face);
  if (n.z < 0.0) n = -n;
  float key = max(0.0, dot(n, vec3(0.30, 0.48, 0.825)));
  float fill = max(0.0, dot(n, vec3(-0.75, 0.10, 0.654)));
  vec3 c = tone;
  if (compared && marked == 1) c = vec3(0.25, 0.48, 0.86);
  if (compared && marked == 2) c = vec3(0.30, 0.68, 0.38);
  if (compared && marked == 3) c = vec3(0.84, 0.25, 0.19);
  color = vec4(c * (0.5 + 0.5 * key + 0.14 * fill), opacity);
}`;

function paint(color: number, opacity = 1): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: GLSL3, vertexShader, fragmentShader, transparent: opacity < 1, depthWrite: opacity === 1,
    uniforms: { tone: { value: new Color().setHex(color, "srgb-linear") }, opacity: { value: opacity }, compared: { value: false } },
  });
}

// PlaybackEvents are what happens in the picture.
export interface PlaybackEvents {
  viewed(view: View): void; // after a frame with another camera
  picked(second: number): void; // of a place of the path
  drawn(): void; // a frame
  lost(): void; // the browser took the picture away
}

export class PlaybackView {
  readonly stage: Stage;
  private release = () => {};
  private readonly stock = new Mesh(new BufferGeometry(), paint(stockColor));
  private readonly jaws = new Group();
  private readonly tool = new Group();
  private readonly path = new Line(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true }));
  private readonly all = new Line(new BufferGeometry(), new LineBasicMaterial({
    vertexColors: true, transparent: true, opacity: wholeOpacity, depthTest: false,
  }));
  private trace: Trace | null = null;
  private whole: Trace | null = null;

  constructor(host: HTMLElement, habit: () => Habit, on: PlaybackEvents) {
    this.stage = new Stage(host, (canvas, camera) => {
      this.release();
      this.release = steer(canvas, camera, habit, {
        pick: (x, y) => {
          const second = this.secondAt(x, y);
          if (second !== null) on.picked(second);
        },
        hover: () => {}, away: () => {},
        turningPoint: (x, y) => {
          const hit = this.stockAt(x, y);
          if (hit) camera.turnAbout(hit);
        },
      });
    }, () => {
      this.close();
      on.lost();
    });
    this.stage.scene.add(this.stock, this.jaws, this.tool, this.path, this.all);
    for (const o of [this.stock, this.path, this.all]) o.frustumCulled = false;
    this.all.renderOrder = 1;
    let last = "";
    this.stage.drawn = () => {
      on.drawn();
      const view = this.stage.camera.view, now = JSON.stringify(view);
      if (now !== last && last !== "") on.viewed(view);
      last = now;
    };
  }

  get camera(): Camera {
    return this.stage.camera;
  }

  standard(key: number): void {
    const v = standardViews[key];
    if (!v) return;
    this.camera.turn(v.yaw, v.pitch);
    this.stage.again();
  }

  // stockAt is the point of the stock at a place of the picture, from -1 to 1.
  private stockAt(x: number, y: number): Vector3 | null {
    const caster = new Raycaster();
    caster.ray.copy(this.camera.ray(x, y));
    return caster.intersectObject(this.stock)[0]?.point ?? null;
  }

  // secondAt is the second of the path at a place of the picture. The last points count where no stock hides them.
  private secondAt(x: number, y: number): number | null {
    const size = { width: this.stage.host.clientWidth, height: this.stage.host.clientHeight };
    if (this.whole) return secondNear(this.whole, this.camera.three, size, x, y, Infinity);
    if (!this.trace) return null;
    const hit = this.stockAt(x, y);
    return secondNear(this.trace, this.camera.three, size, x, y, hit ? hit.project(this.camera.three).z : Infinity);
  }

  // setScene takes what stays during a setup.
  setScene(box: { min: Point; max: Point }, jaws: readonly { min: Point; max: Point }[]): void {
    clear(this.jaws);
    const all = new Box3(new Vector3(...box.min), new Vector3(...box.max));
    const above = all.getSize(new Vector3()).length() * roomForTool;
    for (const j of jaws) {
      const b = new Box3(new Vector3(...j.min), new Vector3(...j.max)), size = b.getSize(new Vector3());
      const mesh = new Mesh(new BoxGeometry(size.x, size.y, size.z), paint(jawColor, 0.45));
      b.getCenter(mesh.position);
      mesh.userData = { color: jawColor };
      this.jaws.add(mesh);
    }
    all.max.z += above;
    this.stage.fit(all);
  }

  // setTool draws a tool by its outline.
  setTool(t: ToolShape | null): void {
    clear(this.tool);
    if (!t) return;
    for (const zone of [0, 1, 2, 3]) {
      const points: Vector2[] = [];
      t.outline.forEach(([r, h, z], i) => {
        if (z !== zone || (zone === 0 && i === 0)) {
          if (i === 0 && zone === 0) points.push(new Vector2(0, 0));
          return;
        }
        const before = t.outline[i - 1];
        if (points.length === 0 && before) points.push(new Vector2(before[0], before[1]));
        points.push(new Vector2(r, h));
      });
      if (points.length < 2) continue;
      const last = points[points.length - 1]!;
      points.push(new Vector2(0, last.y));
      const shape = new LatheGeometry(points, 40);
      shape.rotateX(Math.PI / 2); // about z
      const color = zone === 0 ? fluteColor : zone === 3 ? holderColor : bodyColor;
      const mesh = new Mesh(shape, paint(color));
      mesh.userData = { color, zone };
      this.tool.add(mesh);
    }
  }

  // setFault draws what collides red, and the rest in its own colors.
  setFault(of: Fault): void {
    const color = (group: Group, isRed: (m: Mesh) => boolean) => {
      for (const m of group.children as Mesh<BufferGeometry, ShaderMaterial>[]) {
        const to = isRed(m) ? faultColor : (m.userData["color"] as number);
        (m.material.uniforms["tone"]!.value as Color).setHex(to, "srgb-linear");
      }
    };
    color(this.tool, (m) => of.zones.includes(m.userData["zone"] as number));
    color(this.jaws, () => of.jaws);
    this.stage.invalidate();
  }

  // compare colors the server's stock by its height above the part.
  compare(is: boolean): void {
    this.stock.material.uniforms["compared"]!.value = is;
    this.stage.invalidate();
  }

  // show takes the state of a moment.
  show(tip: Point, surface: Surface | null, trace: Trace): void {
    this.tool.position.set(...tip);
    if (surface) {
      this.stock.geometry.dispose();
      const g = new BufferGeometry();
      g.setAttribute("position", new BufferAttribute(surface.positions, 3));
      g.setAttribute("normal", new BufferAttribute(surface.normals, 3, true));
      g.setAttribute("mark", new BufferAttribute(surface.marks, 1));
      g.setIndex(new BufferAttribute(surface.index, 1));
      this.stock.geometry = g;
    }
    this.trace = trace;
    draw(this.path, trace);
    this.stage.invalidate();
  }

  // showWhole draws the whole path of an operation; null: none.
  showWhole(trace: Trace | null): void {
    this.whole = trace;
    draw(this.all, trace);
    this.stage.invalidate();
  }

  close(): void {
    this.release();
    clear(this.jaws);
    clear(this.tool);
    for (const o of [this.stock, this.path, this.all]) o.geometry.dispose();
    this.stage.dispose();
  }
}

// draw replaces the points of a line.
function draw(line: Line, trace: Trace | null): void {
  line.geometry.dispose();
  line.geometry = new BufferGeometry();
  line.visible = trace !== null;
  if (!trace) return;
  const colors = new Float32Array(3 * trace.kinds.length);
  trace.kinds.forEach((k, i) => colors.set(colorOf(k), 3 * i));
  line.geometry.setAttribute("position", new BufferAttribute(trace.points, 3));
  line.geometry.setAttribute("color", new BufferAttribute(colors, 3));
}

function clear(group: Group): void {
  for (const m of group.children as Mesh<BufferGeometry, ShaderMaterial>[]) {
    m.geometry.dispose();
    m.material.dispose();
  }
  group.clear();
}
