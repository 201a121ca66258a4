// Makes the JSON schemas by which kubeconform judges manifests, from what the makers of Kubernetes and of its extensions
// publish: the OpenAPI description of the API and custom resource definitions. Properties that a schema does not name
// are forbidden.
//
//   node schemas.js OUT SWAGGER.json [DEFINITION.yaml…]
"use strict";
const fs = require("fs");
const path = require("path");
const yaml = require(path.join(process.cwd(), "node_modules", "js-yaml"));

const [out, swagger, ...extensions] = process.argv.slice(2);

// close forbids, in a schema and all in it, properties that are not named where some are.
function close(value) {
  if (value === null || typeof value !== "object") return;
  const open = "additionalProperties" in value || value["x-kubernetes-preserve-unknown-fields"] === true;
  if (!Array.isArray(value) && value.properties && typeof value.properties === "object" && !open) {
    value.additionalProperties = false;
  }
  for (const inner of Object.values(value)) close(inner);
}

// reached adds to found the definitions that a schema leads to.
function reached(all, value, found) {
  if (value === null || typeof value !== "object") return found;
  if (typeof value.$ref === "string") {
    const to = value.$ref.replace("#/definitions/", "");
    if (!(to in found)) {
      found[to] = all[to];
      reached(all, all[to], found);
    }
  }
  for (const inner of Object.values(value)) reached(all, inner, found);
  return found;
}

// write names the file as kubeconform looks for it: the kind, the group up to its first dot, the version.
function write(kind, group, version, schema) {
  const name = [kind, group.split(".")[0], version].filter((part) => part !== "").join("-").toLowerCase();
  fs.writeFileSync(path.join(out, name + ".json"), JSON.stringify(schema));
}

const all = JSON.parse(fs.readFileSync(swagger, "utf8")).definitions;
for (const [name, definition] of Object.entries(all)) {
  if (name.endsWith(".IntOrString")) all[name] = { type: ["integer", "string"] };
  else if (name.endsWith(".Quantity")) all[name] = { type: ["number", "string"] };
  else close(definition);
}
for (const definition of Object.values(all)) {
  const kinds = definition["x-kubernetes-group-version-kind"] || [];
  if (kinds.length !== 1) continue; // several: an option of requests
  const { kind, group, version } = kinds[0];
  write(kind, group, version, { ...definition, definitions: reached(all, definition, {}) });
}
for (const file of extensions) {
  const { group, names, versions } = yaml.safeLoad(fs.readFileSync(file, "utf8")).spec;
  for (const { name, schema } of versions) {
    close(schema.openAPIV3Schema);
    write(names.kind, group, name, schema.openAPIV3Schema);
  }
}
