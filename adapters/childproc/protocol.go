package childproc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/record"
)

// request is the parent's first message. The child's standard input stays open after it, for the results of
// conversions.
type request struct {
	Params      pipeline.Params `json:"recipe"`
	Want        []pipeline.Name `json:"want"`
	Dir         string          `json:"dir"` // the workspace
	MemoryBytes int64           `json:"memoryBytes"`
}

// message is one line from the child: progress, a file to convert, or, once and last, one of the three answers. The
// parent answers a conversion with an empty message, or with the error.
type message struct {
	Progress *pipeline.Progress `json:"progress,omitempty"`
	Convert  *conversion        `json:"convert,omitempty"`
	Run      *pipeline.Run      `json:"run,omitempty"`
	Failure  *fault.Error       `json:"failure,omitempty"`
	Judge    string             `json:"judge,omitempty"` // with Failure: its Judge
	Error    string             `json:"error,omitempty"`
	Unusable pipeline.Name      `json:"unusable,omitempty"` // with Error: the artifact that it is about
	Passes   bool               `json:"passes,omitempty"`   // with Error: it is record.ErrUnavailable
}

// conversion is the request to convert the artifact toConvert.
type conversion struct {
	Format string `json:"format"`
	Suffix string `json:"suffix"` // of the file's name
}

// Files of a workspace that belong to no stage: input and output of a conversion.
const (
	toConvert pipeline.Name = "to-convert"
	converted pipeline.Name = "converted"
)

// messageOf encodes the result of an operation.
func messageOf(err error) message {
	var failure *fault.Error
	var unusable *pipeline.CorruptArtifactError
	switch {
	case errors.As(err, &failure):
		return message{Failure: failure, Judge: failure.Judge}
	case errors.As(err, &unusable):
		return message{Error: unusable.Err.Error(), Unusable: unusable.Name}
	case err != nil:
		return message{Error: err.Error(), Passes: errors.Is(err, record.ErrUnavailable)}
	}
	return message{}
}

// failure decodes the error of a message; who names the source of the error.
func (m *message) failure(who string) error {
	switch {
	case m.Failure != nil:
		m.Failure.Judge = m.Judge
		return m.Failure
	case m.Unusable != "":
		return &pipeline.CorruptArtifactError{Name: m.Unusable, Err: errors.New(m.Error)}
	case m.Passes:
		return fmt.Errorf("%s: %w: %s", who, record.ErrUnavailable, m.Error)
	case m.Error != "":
		return fmt.Errorf("%s: %s", who, m.Error)
	}
	return nil
}

// answer is the child's last message, or the reason for its absence.
type answer struct {
	message
	err error
}

// String describes the answer for an error message.
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

// largestAnswer is the maximum number of bytes that the parent reads from one child. Expected are a line for each
// percent of progress and the list of artifacts, twice.
const largestAnswer = 1 << 20

var (
	errNoAnswer = errors.New("there is none")
	errTooLong  = errors.New("it is too long")
)

// readMessages passes on progress and conversions until the answer has come and the child has closed its end.
func readMessages(r io.Reader, tell func(pipeline.Progress), convert func(conversion)) answer {
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
		for _, is := range []bool{
			m.Progress != nil, m.Convert != nil, m.Run != nil, m.Failure != nil, m.Error != "",
		} {
			if is {
				given++
			}
		}
		if given != 1 {
			return answer{err: fmt.Errorf("a message says %d things instead of one", given)}
		}
		switch {
		case m.Progress != nil:
			tell(*m.Progress)
		case m.Convert != nil:
			convert(*m.Convert)
		case in.Decode(new(message)) != io.EOF:
			return answer{err: errors.New("data follows its end")}
		default:
			return answer{message: m}
		}
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
