// The fields of the answers about programs that the pages use. Lengths are mm, times seconds.

export type ProgramStatus = "processing" | "ready" | "failed";

// ProgramSummary is a program in the list of a part.
export interface ProgramSummary {
  id: string;
  status: ProgramStatus;
  failureReason: string;
  jobId: string;
  reportId: string;
  cutConfigId: string;
  cutConfigName: string; // at the request
  currency: "current" | "changed" | "deleted"; // of that cut config
  changes: string[]; // its fields that differ today, and "tools"
  createdAt: string;
}

export interface Vec3 { x: number; y: number; z: number }
export interface Box { min: Vec3; max: Vec3 }

export interface Operation {
  operationId: string;
  index: number;
  strategy: string;
  featureIds: string[];
  regionIdxs: number[];
  toolNumber: number;
  top: number;
  bottom: number;
  spindleRpm: number;
  feed: number; // mm/min
  plungeFeed: number;
  axialDepth: number;
  radialDepth: number;
  stockToLeaveRadial: number;
  stockToLeaveAxial: number;
  coolant: string;
  provenance: string[];
  notes: string[];
}

export interface Setup {
  index: number;
  direction: Vec3;
  origin: Vec3;
  xAxis: Vec3;
  workOffset: number;
  stock: Box;
  workholding: { kind: string; text: string; solid: Box[] };
  operations: Operation[];
}

// Left is material that stays on the part, for one reason.
export interface Left {
  featureId: string | null;
  regionIdxs: number[];
  volume: number; // mm³
  maxHeight: number;
  reason: string;
  detail: string;
  remedy: string | null;
  price: Price | null;
}

// Price is the price of the cheapest way to make something, for each part of the batch.
export interface Price {
  cents: number;
  way: string;
}

export type Unmachinable = Pick<Left, "featureId" | "regionIdxs" | "reason" | "detail" | "remedy" | "price">;

export interface Finding {
  kind: string;
  setupIndex: number;
  operationId: string | null;
  move: number; // from 0
  position: Vec3;
  depth: number;
  regionIdxs: number[];
}

export interface Verification {
  maxUncut: number;
  rapidCollisions: number;
  holderCollisions: number;
  fixtureCollisions: number;
  findings: Finding[];
}

export interface Account {
  completeness: "complete" | "complete_but_named" | "incomplete" | null;
  completenessBasis: "predicted" | "found" | null;
  made: { volumeShare: number; areaShare: number } | null;
  left: Left[];
}

export interface ProgramTool {
  number: number;
  toolId: string;
  name: string;
  kind: string;
  diameter: number;
  stickout: number;
  holder: { name: string } | null;
}

export interface Program extends Account {
  id: string;
  planId: string;
  reportId: string;
  jobId: string | null;
  cutConfigId: string;
  status: ProgramStatus;
  failureCode: string | null;
  failureReason: string | null;
  warnings: { code: string; message: string }[];
  setups: Setup[];
  unmachinable: Unmachinable[];
  tools: ProgramTool[];
  machiningSeconds: number | null;
  gcode: { setup: number; post: string }[];
  setupSheetUrl: string | null;
  toolTableUrl: string | null;
  programJsonUrl: string | null;
  devicesUrl: string | null;
  bundleUrl: string | null;
  verification: Verification | null;
}

// ToolAsCut is a tool of program.json: as it was when the program was made.
export interface ToolAsCut {
  number: number;
  cornerRadius: number;
  fluteLength: number;
  fluteCount: number;
  overallLength: number;
  shankDiameter: number;
  tipAngleDeg: number | null;
  tipDiameter: number | null;
  pitch: number | null;
  holder: { name: string; gaugeLength: number } | null;
}

// Document is program.json.
export interface Document {
  setups: { number: number; safe: number }[];
  tools: ToolAsCut[];
}

export interface MachiningTime {
  totalSeconds: number;
  setupSeconds: number;
  setups: { index: number; totalSeconds: number; operations: { operationId: string; seconds: number }[] }[];
}

export interface ToolpathSet {
  toolpaths: { operationId: string; moveCount: number }[];
  geometryUrl: string | null;
  movesUrl: string | null;
  stockUrl: string | null;
  residueUrl: string | null;
}

export interface Bill { timeSeconds: number; costCents: number }

export interface Estimate extends Account, Bill {
  quality: "fast" | "refined";
  quantity: number;
  low: Bill;
  high: Bill;
  breakdown: {
    materialCents: number; setupCents: number; machiningCents: number; toolChangeCents: number; handlingCents: number;
  };
  assumptions: string[];
}
