package httpapi

// Accepted is the headers of every 202 response: the address to poll, and the time of the first poll. (huma sees
// exported types only.)
type Accepted struct {
	RetryAfter string `header:"Retry-After" doc:"Whole seconds to wait before the first poll."`
	Link       string `header:"Link" doc:"Address to poll."`
}

// pollAfter is in seconds: most parts take less.
const pollAfter = "1"

// accepted refers to the record at a path that shows the progress of the work (relation status, RFC 8631).
func (a *api) accepted(path string) Accepted {
	return Accepted{RetryAfter: pollAfter, Link: linkTo(a.config.BaseURL + path)}
}

func linkTo(url string) string { return "<" + url + `>; rel="status"` }
