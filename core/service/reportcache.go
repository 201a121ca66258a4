package service

import "sync"

// reportCache keeps the reports that were read last, decoded: a report never changes, and clients read the
// same one again and again. Whether a caller may read it, and whether it still exists, is decided by the
// records of part and job, which are read every time. Reports of the cache are shared: nobody writes to them.
type reportCache struct {
	mu      sync.Mutex
	reports map[string]Report
	order   []string // ids, oldest first
	weight  int
}

// maxReportWeight bounds the regions and features of all reports that are kept: some 30 MB.
const maxReportWeight = 1 << 18

func weigh(r *Report) int {
	const feature = 4 // regions that a feature weighs
	return 1 + len(r.Analysis.Regions) + feature*len(r.Analysis.Features)
}

func (c *reportCache) get(id string) (Report, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.reports[id]
	return r, ok
}

func (c *reportCache) put(r Report) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.reports[r.ID]; known || weigh(&r) > maxReportWeight {
		return
	}
	if c.reports == nil {
		c.reports = map[string]Report{}
	}
	c.reports[r.ID] = r
	c.order = append(c.order, r.ID)
	for c.weight += weigh(&r); c.weight > maxReportWeight; c.order = c.order[1:] {
		oldest := c.reports[c.order[0]]
		c.weight -= weigh(&oldest)
		delete(c.reports, oldest.ID)
	}
}
