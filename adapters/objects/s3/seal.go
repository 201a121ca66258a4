package s3

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"millwright.dev/millwright/core/service/object"
)

// sealTries limits how often sealing starts again because another upload replaced the one that was measured.
const sealTries = 50

// Seal implements object.Store by a copy within the server, on two conditions. The upload must still have the tag that
// Head saw, so that the measured object is the copied one. No object may exist at to, so that the first of several
// calls decides. Amazon S3 checks both at the moment when the copy becomes visible. A server that ignores the second
// condition on a copy (versitygw, older MinIO) leaves the time between Head(to) and the end of the copy. Two concurrent
// calls may then both copy. Each copies a complete upload of the same client, and the store's record of the part lets
// only one of them start the first job.
func (s *Objects) Seal(ctx context.Context, from, to object.Ref, maxBytes int64,
) (object.Info, error) {
	if from == to {
		return object.Info{}, errors.New("objects: an upload cannot be sealed in its own place")
	}
	if err := errors.Join(from.Validate(), to.Validate()); err != nil {
		return object.Info{}, err
	}
	for range sealTries {
		sealed, err := s.Head(ctx, to)
		switch {
		case err == nil && sealed.Size > maxBytes:
			return object.Info{}, object.ErrTooLarge
		case err == nil:
			return sealed, s.Delete(ctx, from)
		case !errors.Is(err, object.ErrNotFound):
			return object.Info{}, err
		}
		if err := s.copyOnce(ctx, from, to, maxBytes); err != nil {
			return object.Info{}, err
		}
	}
	return object.Info{}, fmt.Errorf("objects: %s changes faster than it can be sealed", from.Key)
}

// copyOnce copies the current upload. Without an error the upload or its destination may still have changed during the
// call, so the caller must check again.
func (s *Objects) copyOnce(ctx context.Context, from, to object.Ref, maxBytes int64) error {
	upload, tag, err := s.head(ctx, from)
	if errors.Is(err, object.ErrNotFound) {
		_, sealed := s.Head(ctx, to) // by another call, in this moment
		return sealed
	}
	if err != nil {
		return err
	}
	if upload.Size > maxBytes {
		return errors.Join(object.ErrTooLarge, s.remove(ctx, from, tag))
	}
	_, err = s.client.CopyObject(ctx, &s3.CopyObjectInput{
		Bucket: &to.Bucket, Key: &to.Key, IfNoneMatch: aws.String("*"),
		CopySource: aws.String(path.Join(from.Bucket, from.Key)), CopySourceIfMatch: tag,
		MetadataDirective: types.MetadataDirectiveReplace, ContentType: aws.String(mediaType),
	})
	switch {
	case isStatus(err, http.StatusPreconditionFailed), isStatus(err, http.StatusConflict),
		isStatus(err, http.StatusNotFound):
		return nil
	}
	return explain(from, err)
}
