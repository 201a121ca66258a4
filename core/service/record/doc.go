// Package record defines the common elements of all records: ids and times, pages of lists, and the errors of stores.
//
// # Ids
//
// An id identifies a record, independent of its content. The packages pipeline and feature define identifiers of
// content: keys and tags. Ids are UUIDs, of version 7 unless stated otherwise. Each belongs to one team: other teams
// cannot learn whether it exists.
//
//   - A part is an uploaded file with the client's data on it. Two uploads of one file are two parts.
//   - A job is one unit of work on a part. It is attempted until it ends, and ends once; a job.FencingToken
//     distinguishes its attempts.
//   - A report is the result of one analysis of a part, written by the job that ends it. A part shows the latest one.
//   - A feature of a report has an id of version 5, derived from the report, the feature's tag and its index. Writing a
//     report twice gives the same ids; another report of the part gives other ids. The tag identifies a feature across
//     reports.
//   - An artifact has no id, only a key. Parts of one team with the same file and parameters share the stored object.
//     It is deleted with the last part that references it.
//
// # Stores
//
// Each package of use cases defines the ports to its records. Every method of a store is one transaction: it happens
// completely or not at all, and its result survives a crash of the process if it returned no error. Methods with a team
// access only the records of that team: other records are ErrNotFound. Times have a resolution of a microsecond.
package record
