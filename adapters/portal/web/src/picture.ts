// Picture is what other parts of the page can ask of the picture of a part.
export type Tone = "selected" | "fault" | "made" | "left";
export interface Picture {
  light(regions: readonly number[] | null, tone?: Tone): void; // lights the faces of regions; null: none
  frame(regions: readonly number[]): void; // moves the camera so that they are seen
}
export interface TabProps {
  part: { id: string; name: string };
  jobId: string; // the run whose results are shown
  picture: Picture; // does nothing where there is no picture
}
