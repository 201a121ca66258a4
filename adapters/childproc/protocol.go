package childproc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"millwright/core/fault"
	"millwright/core/stage"
)

// request is what the parent sends, once. The child's standard input stays open behind it.
type request struct {
	Recipe      stage.Recipe `json:"recipe"`
	Want        []stage.Name `json:"want"`
	Dir         string       `json:"dir"` // the workspace
	MemoryBytes int64        `json:"memoryBytes"`
}

// message is one line from the child: progress, or, once and last, one of the three answers.
type message struct {
	Progress *stage.Progress `json:"progress,omitempty"`
	Run      *stage.Run      `json:"run,omitempty"`
	Failure  *fault.Error    `json:"failure,omitempty"`
	Judge    string          `json:"judge,omitempty"` // with Failure: its Judge
	Error    string          `json:"error,omitempty"`
	Unusable stage.Name      `json:"unusable,omitempty"` // with Error: the artefact that it is about
	Passes   bool            `json:"passes,omitempty"`   // with Error: it is record.ErrUnavailable
}

// answer is the child's last message, or why there is none.
type answer struct {
	message
	err error
}

// String says what the answer was, for an error message.
func (a answer) String() string {
	switch {
	case a.err != nil:
		return a.err.Error()
	case a.Failure != nil:
		return a.Failure.Error()
	case a.Error != "":
		return a.Error
	}
	return "complete"
}

// largestAnswer bounds what the parent reads from one child, in bytes: a line for each percent of progress, and what
// was made, twice.
const largestAnswer = 1 << 20

var (
	errNoAnswer = errors.New("there is none")
	errTooLong  = errors.New("it is too long")
)

// readMessages passes progress on until the answer has come and the child has closed its end.
func readMessages(r io.Reader, tell func(stage.Progress)) answer {
	in := json.NewDecoder(&bounded{r: r, left: largestAnswer})
	for {
		var m message
		if err := in.Decode(&m); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = errNoAnswer
			}
			return answer{err: err}
		}
		given := 0
		for _, is := range []bool{m.Progress != nil, m.Run != nil, m.Failure != nil, m.Error != ""} {
			if is {
				given++
			}
		}
		if given != 1 {
			return answer{err: fmt.Errorf("a message says %d things instead of one", given)}
		}
		if m.Progress == nil {
			if in.Decode(new(message)) != io.EOF {
				return answer{err: errors.New("it goes on after its end")}
			}
			return answer{message: m}
		}
		tell(*m.Progress)
	}
}

// bounded fails, rather than ends, when too much has been read.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLong
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.r.Read(p)
	b.left -= int64(n)
	return n, err
}
