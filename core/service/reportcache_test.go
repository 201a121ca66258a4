package service

import (
	"millwright/core/stage"
	"strconv"
	"testing"
)

func TestReportCacheKeepsTheNewestWithinItsWeight(t *testing.T) {
	var c reportCache
	const regions = maxReportWeight / 4
	for i := range 6 {
		c.put(Report{ID: strconv.Itoa(i), Analysis: stage.Analysis{Regions: make([]stage.Region, regions)}})
	}
	for i, want := range []bool{false, false, false, true, true, true} {
		r, ok := c.get(strconv.Itoa(i))
		if ok != want || ok && r.ID != strconv.Itoa(i) {
			t.Errorf("report %d: kept %v, want %v", i, ok, want)
		}
	}
	if c.weight != 3*(regions+1) || len(c.order) != 3 || len(c.reports) != 3 {
		t.Errorf("weight %d of %d reports, want %d of 3", c.weight, len(c.reports), 3*(regions+1))
	}
}

func TestReportCacheTakesNoReportTwiceAndNoneTooLarge(t *testing.T) {
	var c reportCache
	c.put(Report{ID: "huge", Analysis: stage.Analysis{Recognition: stage.Recognition{
		Features: make([]stage.PartFeature, maxReportWeight),
	}}})
	c.put(Report{ID: "a"})
	c.put(Report{ID: "a"})
	if _, ok := c.get("huge"); ok || c.weight != 1 || len(c.order) != 1 {
		t.Errorf("weight %d, order %v; want the one small report once", c.weight, c.order)
	}
}
