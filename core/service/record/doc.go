// Package record holds what records of all kinds share: ids and times, pages of lists, and the errors of the stores
// that keep them.
//
// # Ids
//
// An id stands for a record and says nothing of its content; what content is called, keys and tags, is explained by
// the packages stage and feature. Ids are UUIDs, of version 7 where nothing else is said, and belong to one team:
// nobody else learns whether they exist.
//
//   - A part is an uploaded file with what the client said of it. Two uploads of one file are two parts.
//   - A job is one piece of work on a part. It is attempted until it ends, and ends once; a job.Fence tells its
//     attempts apart.
//   - A report is what one analysis of a part found, written by the job that ends it. A part shows the latest one.
//   - A feature of a report has an id of version 5, made of the report, the feature's tag and its index: writing a
//     report twice gives the same ids, another report of the part other ones. What follows a feature from report to
//     report is its tag.
//   - An artifact has no id but a key. Parts of one team that were made from the same file and parameters share the
//     stored object; it goes with the last part that names it.
//
// # Stores
//
// Each package of use cases owns the ports through which it reaches its records. Every method of a store is one
// transaction: it happens whole or not at all, and what it returned without an error survives a crash of the process.
// Methods that take a team see only that team's records: another team's are ErrNotFound. Times are kept in
// microseconds.
package record
