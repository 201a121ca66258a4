package record

import (
	"millwright.dev/millwright/core/service/apierr"
)

// Page names one page of a list. Zero values mean the first page, 20 per page.
type Page struct {
	Page     int // one-based
	PageSize int // 1 to 100
}

// List is one page of a list and the total number of items.
type List[T any] struct {
	Items    []T // never nil
	Page     int
	PageSize int
	Total    int
}

const (
	defaultPageSize = 20
	maxPageSize     = 100
	maxPage         = 1_000_000_000 // times the page size it still fits an offset of 64 bits
)

// withDefaults replaces zero fields by their defaults.
func (p Page) withDefaults() Page {
	if p.Page == 0 {
		p.Page = 1
	}
	if p.PageSize == 0 {
		p.PageSize = defaultPageSize
	}
	return p
}

func (p Page) validate() error {
	switch {
	case p.Page < 1 || p.Page > maxPage:
		return apierr.Errorf(apierr.InvalidRequest, "page lies between 1 and %d.", maxPage)
	case p.PageSize < 1 || p.PageSize > maxPageSize:
		return apierr.Errorf(apierr.InvalidRequest, "pageSize lies between 1 and %d.", maxPageSize)
	}
	return nil
}

// Offset returns the number of items before the page.
func (p Page) Offset() int64 { return int64(p.Page-1) * int64(p.PageSize) }

// Paginate reads a page of records. The items in last, which every team has, follow as the oldest ones.
func Paginate[T any](p Page, last []T, read func(Page) ([]T, int, error)) (List[T], error) {
	p = p.withDefaults()
	if err := p.validate(); err != nil {
		return List[T]{}, err
	}
	items, total, err := read(p)
	if err != nil {
		return List[T]{}, err
	}
	at := int64(total) - p.Offset() // positions of the page taken by records of the team
	from, to := max(-at, 0), min(int64(len(last)), int64(p.PageSize)-at)
	if from < to {
		items = append(items, last[from:to]...)
	}
	return List[T]{Items: items, Page: p.Page, PageSize: p.PageSize, Total: total + len(last)}, nil
}
