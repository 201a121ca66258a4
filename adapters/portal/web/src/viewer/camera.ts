// The camera: orthographic, turned about a target. The up axis of the part stays up in the picture.
import { type Box3, Matrix4, OrthographicCamera, Ray, Vector3 } from "three";

export type Up = "x" | "y" | "z";

// View is all that a link needs to show the same again. Angles are degrees, lengths mm.
export interface View {
  yaw: number; // of the eye about the up axis
  pitch: number; // of the eye above the plane across it, -90 to 90
  target: [number, number, number];
  height: number; // of the picture
  up: Up;
}

// Standard views by their key.
export const standardViews: { name: string; yaw: number; pitch: number }[] = [
  { name: "Isometric", yaw: -45, pitch: 35.264 },
  { name: "Front", yaw: -90, pitch: 0 },
  { name: "Back", yaw: 90, pitch: 0 },
  { name: "Left", yaw: 180, pitch: 0 },
  { name: "Right", yaw: 0, pitch: 0 },
  { name: "Top", yaw: -90, pitch: 90 },
  { name: "Bottom", yaw: -90, pitch: -90 },
];

const smallest = 0.25, largest = 10; // zoom, as a multiple of the fitted size
const margin = 1.12; // of the fitted box in the picture
const degree = Math.PI / 180;

// onAxes turns a vector of a frame with z up into the frame of the part.
function onAxes(up: Up, x: number, y: number, z: number): Vector3 {
  if (up === "y") return new Vector3(y, z, x);
  return up === "x" ? new Vector3(z, x, y) : new Vector3(x, y, z);
}

export class Camera {
  readonly three = new OrthographicCamera();
  readonly right = new Vector3();
  readonly above = new Vector3();
  readonly back = new Vector3(); // from the target to the eye
  private yaw = -45;
  private pitch = 35.264;
  private readonly target = new Vector3();
  private height = 100;
  private up: Up = "z";
  private fitted = 100;
  private least = 10; // height
  private readonly center = new Vector3();
  private radius = 100;
  private aspect = 1;

  // changed runs after each change.
  constructor(private readonly changed: () => void) {
    this.update();
  }

  get view(): View {
    const { yaw, pitch, height, up } = this;
    return { yaw, pitch, height, up, target: [this.target.x, this.target.y, this.target.z] };
  }

  set view(v: View) {
    this.yaw = v.yaw;
    this.pitch = v.pitch;
    this.target.fromArray(v.target);
    this.height = v.height;
    this.up = v.up;
    this.least = Math.min(this.least, v.height);
    this.update();
  }

  resize(width: number, height: number): void {
    this.aspect = width / Math.max(1, height);
    this.update();
  }

  turn(yaw: number, pitch: number): void {
    this.yaw = yaw;
    this.pitch = Math.max(-90, Math.min(90, pitch));
    this.update();
  }

  setUp(up: Up): void {
    this.up = up;
    this.update();
  }

  // orbit turns by a distance of the pointer, as a share of the height of the picture.
  orbit(dx: number, dy: number): void {
    this.turn(this.yaw - 200 * dx, this.pitch + 200 * dy);
  }

  // pan moves by a distance of the pointer, as a share of the height of the picture.
  pan(dx: number, dy: number): void {
    this.target.addScaledVector(this.right, -dx * this.height).addScaledVector(this.above, dy * this.height);
    this.update();
  }

  // zoom keeps the point at (x, y), from -1 to 1 across the picture, where it is.
  zoom(factor: number, x = 0, y = 0): void {
    const most = this.fitted / smallest;
    const height = Math.max(this.least, Math.min(most, this.height / factor));
    const moved = (this.height - height) / 2;
    this.target.addScaledVector(this.right, x * moved * this.aspect).addScaledVector(this.above, y * moved);
    this.height = height;
    this.update();
  }

  turnAbout(p: Vector3): void {
    this.target.copy(p);
    this.update();
  }

  // around sets the box that fit shows, and from which the bounds of the zoom follow.
  around(box: Box3): void {
    box.getCenter(this.center);
    this.radius = Math.max(1e-3, box.getSize(new Vector3()).length() / 2);
  }

  // fit shows a box as large as the picture allows.
  fit(box: Box3): void {
    const size = this.extent(box);
    this.fitted = margin * Math.max(size.y, size.x / this.aspect, 1e-3);
    this.least = this.fitted / largest;
    this.frame(box, 1);
  }

  // frame shows a box with room around it, which a small one has more of.
  frame(box: Box3, room: number): void {
    const size = this.extent(box);
    box.getCenter(this.target);
    this.height = Math.min(this.fitted, margin * room * Math.max(size.y, size.x / this.aspect, this.fitted / 200));
    this.least = Math.min(this.least, this.height / 2);
    this.update();
  }

  // ray goes through a point of the picture, from behind the eye.
  ray(x: number, y: number): Ray {
    const from = this.target.clone()
      .addScaledVector(this.right, (x * this.height * this.aspect) / 2)
      .addScaledVector(this.above, (y * this.height) / 2);
    return this.through(from);
  }

  // through is the ray of the picture that meets a point.
  through(p: Vector3): Ray {
    const from = p.clone().addScaledVector(this.back, 4 * this.radius + p.distanceTo(this.center));
    return new Ray(from, this.back.clone().negate());
  }

  // extent is the size of a box in the picture.
  private extent(box: Box3): { x: number; y: number } {
    let x = 0, y = 0;
    const center = box.getCenter(new Vector3());
    for (let i = 0; i < 8; i++) {
      const corner = new Vector3(
        i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z,
      ).sub(center);
      x = Math.max(x, 2 * Math.abs(corner.dot(this.right)));
      y = Math.max(y, 2 * Math.abs(corner.dot(this.above)));
    }
    return { x, y };
  }

  private update(): void {
    const a = this.yaw * degree, b = this.pitch * degree;
    const ca = Math.cos(a), sa = Math.sin(a), cb = Math.cos(b), sb = Math.sin(b);
    this.right.copy(onAxes(this.up, -sa, ca, 0));
    this.above.copy(onAxes(this.up, -sb * ca, -sb * sa, cb));
    this.back.copy(onAxes(this.up, cb * ca, cb * sa, sb));
    const reach = 4 * this.radius + this.target.distanceTo(this.center), c = this.three;
    c.position.copy(this.target);
    c.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(this.right, this.above, this.back));
    c.top = this.height / 2;
    c.bottom = -c.top;
    c.right = c.top * this.aspect;
    c.left = -c.right;
    c.near = -reach;
    c.far = reach;
    c.updateProjectionMatrix();
    c.updateMatrixWorld();
    this.changed();
  }
}
