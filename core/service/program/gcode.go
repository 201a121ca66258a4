package program

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/usertext"
)

// Post prints motion in the words of controls.
type Post interface {
	// Extension returns the file name extension of a dialect, with its dot.
	Extension(dialect string) string
	// Write returns the g-code of one setup. ErrCannotPost: the control does not support it.
	Write(dialect string, s Setup) (string, error)
	// WriteLines is Write with the number of the line that ends each move, from 1, by operation and move.
	WriteLines(dialect string, s Setup) (text string, lines [][]int, err error)
}

// Setup is the setup of a program for which g-code is written.
type Setup struct {
	Title string // of the part, for people
	Plan  *PlanSummary
	Paths *toolpath.Set
	Index int // of the setup
}

// ErrCannotPost reports that a control does not support a part of a program; the wrapping error names it.
var ErrCannotPost = errors.New("the control cannot do this")

// GcodeInput is the request for the g-code of one setup of a program.
type GcodeInput struct {
	PartID    string
	ProgramID string
	Setup     int    // from 1
	Post      string // "" = the post of its cut config
}

// Gcode is a file for a machine.
type Gcode struct {
	Text     string
	FileName string
}

// Gcode returns the g-code of the verified motion of one setup. Error codes: not_found, no_setup, program_not_ready,
// invalid_request (an unknown post, or one whose controls do not support the motion).
func (s *Service) Gcode(ctx context.Context, c account.Caller, in GcodeInput) (Gcode, error) {
	of, err := s.setup(ctx, c, &in)
	if err != nil {
		return Gcode{}, err
	}
	text, err := s.Post.Write(in.Post, of)
	name := fmt.Sprintf("%s-%d%s", of.Title, in.Setup, s.Post.Extension(in.Post))
	return Gcode{Text: text, FileName: name}, cannotSay(in.Post, err)
}

// setup returns the setup of a request for g-code, and puts the post of the cut config into one without a post.
func (s *Service) setup(ctx context.Context, c account.Caller, in *GcodeInput) (Setup, error) {
	p, err := s.Get(ctx, c, in.PartID, in.ProgramID)
	if err != nil {
		return Setup{}, err
	}
	if p.Status != Ready {
		return Setup{}, apierr.Errorf(apierr.ProgramNotReady, "The program is %s; there is no g-code of it.", p.Status)
	}
	if in.Setup < 1 || in.Setup > len(p.Plan.Made.Setups) {
		return Setup{}, apierr.Errorf(apierr.NoSetup, "The program has %d setups, and none %d.",
			len(p.Plan.Made.Setups), in.Setup)
	}
	if in.Post == "" {
		in.Post = p.Result.Post
	}
	if why := unknown(in.Post); why != "" {
		return Setup{}, apierr.Errorf(apierr.InvalidRequest, "%s", why)
	}
	paths, err := s.paths(ctx, p.Set)
	if err != nil {
		return Setup{}, err
	}
	return Setup{Title: p.Result.Title, Plan: p.Plan.Made, Paths: paths, Index: in.Setup - 1}, nil
}

// cannotSay is the error of a post that does not support the motion.
func cannotSay(post string, err error) error {
	if errors.Is(err, ErrCannotPost) {
		return apierr.Errorf(apierr.InvalidRequest, "The program cannot be said in %s: %s.", post, err)
	}
	return err
}

// unknown returns a sentence about an unknown post, or "" for a known one.
func unknown(post string) string {
	if slices.Contains(machining.Posts, post) {
		return ""
	}
	return fmt.Sprintf("There is no post %s; there are %s.", usertext.Quote(post), strings.Join(machining.Posts, ", "))
}

// paths reads the motion of a set.
func (s *Service) paths(ctx context.Context, set *ToolpathSet) (*toolpath.Set, error) {
	body, _, err := s.Objects.Get(ctx, set.Result.Objects[pipeline.Paths])
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(body)
	if err := errors.Join(err, body.Close()); err != nil {
		return nil, err
	}
	return toolpath.Decode(data)
}

// Judge returns the outcome of a program. It succeeds if verification found no defect and the control of its cut config
// supports every function of the program.
func (s *Service) Judge(title string, made *PlanSummary, paths *toolpath.Set, proof *verify.Report,
	post string,
) ProgramOutcome {
	v := ProgramOutcome{Result: Result{Title: title, Post: post, Digests: []string{}, Warnings: []fault.Warning{}}}
	for _, w := range made.Warnings {
		v.Result.Warnings = append(v.Result.Warnings, w.Summed())
	}
	if !proof.Passes() {
		v.Failure = verify.Fault(&made.Plan, proof)
		return v
	}
	if why := unknown(post); why != "" {
		v.Failure = fault.Errorf(fault.DoesNotFitMachine, "%s", why)
		return v
	}
	for i := range paths.Setups {
		text, err := s.Post.Write(post, Setup{Title: title, Plan: made, Paths: paths, Index: i})
		if err != nil {
			v.Failure = fault.Errorf(fault.DoesNotFitMachine, "Setup %d cannot be said in %s: %s.", i+1, post, err)
			v.Result.Digests = []string{}
			return v
		}
		sum := sha256.Sum256([]byte(text))
		v.Result.Digests = append(v.Result.Digests, hex.EncodeToString(sum[:]))
	}
	return v
}
