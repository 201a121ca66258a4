// The flow of the README through a client that is made of the types generated from the interface description:
// create, upload, complete, poll, result, datasheets, thumbnail, program, g-code. Usage: node out/flow.js BASE KEY FILE
import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { components, paths } from "./client.js";

const [base, key, file] = process.argv.slice(2) as [string, string, string];
const client = createClient<paths>({ baseUrl: base, headers: { Authorization: `Bearer ${key}` } });

type Problem = components["schemas"]["Problem"];

// answered takes the body of an answer, or ends with what the service says went wrong.
function answered<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) {
    const problem = answer.error as Problem;
    throw new Error(`${problem.code}: ${problem.detail}`);
  }
  return answer.data;
}

// until asks again and again until there is an answer.
async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the service takes too long");
}

const made = answered(await client.POST("/parts", { body: { fileName: "flow.step" } }));
const sent = await fetch(made.upload.url, {
  method: made.upload.method, headers: made.upload.headers, body: readFileSync(file),
});
if (!sent.ok) throw new Error(`upload: ${sent.status}`);
const params = { path: { id: made.data.id } };
answered(await client.POST("/parts/{id}/complete", { params }));
const part = await until(async () => {
  const record = answered(await client.GET("/parts/{id}", { params })).data;
  return record.status === "ready" || record.status === "failed" ? record : undefined;
});
if (part.status !== "ready") throw new Error(`${part.failureCode}: ${part.failureReason}`);

const result = answered(await client.GET("/v1/parts/{id}", { params }));
const job = answered(await client.PATCH("/v1/parts/{id}", { params: { ...params, query: { featureDetails: true } } }));
const ended = await until(async () => {
  const now = answered(await client.GET("/v1/jobs/{jobId}", { params: { path: { jobId: job.jobId } } }));
  return now.status === "succeeded" || now.status === "failed" ? now : undefined;
});
if (ended.status !== "succeeded") throw new Error(`the job failed: ${ended.error}`);
const features = answered(
  await client.GET("/v1/parts/{id}/features", { params: { ...params, query: { jobId: job.jobId } } }),
);
const holes = features.datasheets.filter((f) => f.datasheet?.facts.kind === "Hole");
const picture = answered(await client.GET("/v1/parts/{id}/thumbnail", { params, parseAs: "arrayBuffer" }));
if (result.features.length === 0 || holes.length === 0 || (picture as unknown as ArrayBuffer).byteLength === 0) {
  throw new Error("the part has no features, holes or picture");
}
if (part.currentProgramId === null) throw new Error("the part has no program");
const which = { path: { id: params.path.id, programId: part.currentProgramId } };
const program = await until(async () => {
  const now = answered(await client.GET("/v1/parts/{id}/programs/{programId}", { params: which }));
  return now.status === "processing" ? undefined : now;
});
if (program.status !== "ready") throw new Error(`${program.failureCode}: ${program.failureReason}`);
const gcode = answered(
  await client.GET("/v1/parts/{id}/programs/{programId}/gcode", { params: { ...which, query: { setup: 1 } }, parseAs: "text" }),
);
if (!gcode.includes("G1")) throw new Error("the g-code moves nothing");
console.log(`TypeScript client: ${result.features.length} features, ${holes.length} of them holes, a picture and a program`);
