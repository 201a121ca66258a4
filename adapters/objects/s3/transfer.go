package s3

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"millwright.dev/millwright/core/service/object"
)

const (
	// partSize is the memory of a transfer, bytes. Longer objects are sent in parts of this size; S3 accepts 10,000.
	partSize = 8 << 20
	maxParts = 10_000

	abortTime = 10 * time.Second // for taking back a transfer whose context has ended
)

// buffers are of partSize bytes.
var buffers = sync.Pool{New: func() any { b := make([]byte, partSize); return &b }}

// Head implements object.Store.
func (s *Objects) Head(ctx context.Context, ref object.Ref) (object.Info, error) {
	info, _, err := s.head(ctx, ref)
	return info, err
}

// head is Head with the object's tag, which changes with its content.
func (s *Objects) head(ctx context.Context, ref object.Ref) (object.Info, *string, error) {
	if err := ref.Validate(); err != nil {
		return object.Info{}, nil, err
	}
	out, err := s.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &ref.Bucket, Key: &ref.Key})
	if err != nil {
		return object.Info{}, nil, explain(ref, err)
	}
	return infoOf(out.ContentLength, out.LastModified), out.ETag, nil
}

// Get implements object.Store.
func (s *Objects) Get(ctx context.Context, ref object.Ref) (io.ReadCloser, object.Info, error) {
	if err := ref.Validate(); err != nil {
		return nil, object.Info{}, err
	}
	out, err := s.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &ref.Bucket, Key: &ref.Key})
	if err != nil {
		return nil, object.Info{}, explain(ref, err)
	}
	return out.Body, infoOf(out.ContentLength, out.LastModified), nil
}

func infoOf(size *int64, modified *time.Time) object.Info {
	return object.Info{Size: aws.ToInt64(size), Modified: aws.ToTime(modified)}
}

// Delete implements object.Store.
func (s *Objects) Delete(ctx context.Context, ref object.Ref) error {
	return s.remove(ctx, ref, nil)
}

// remove deletes an object, or only that with the tag where one is given and the server knows the condition.
func (s *Objects) remove(ctx context.Context, ref object.Ref, tag *string) error {
	if err := ref.Validate(); err != nil {
		return err
	}
	_, err := s.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &ref.Bucket, Key: &ref.Key, IfMatch: tag})
	err = explain(ref, err)
	if errors.Is(err, object.ErrNotFound) || tag != nil && isStatus(err, http.StatusPreconditionFailed) {
		return nil
	}
	return err
}

// Put implements object.Store. An object up to the size of one part is one request. A longer one is sent in parts,
// which become an object with the last request. A request without an answer counts as failed, although the object may
// have been stored.
func (s *Objects) Put(ctx context.Context, ref object.Ref, r io.Reader) error {
	if err := ref.Validate(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	n, err := io.ReadFull(r, *buffer)
	switch {
	case err == nil:
		return s.putParts(ctx, ref, *buffer, r)
	case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	}
	_, err = s.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &ref.Bucket, Key: &ref.Key, ContentType: aws.String(mediaType),
		Body: bytes.NewReader((*buffer)[:n]), ContentLength: aws.Int64(int64(n)),
	})
	return explain(ref, err)
}

// putParts stores the full buffer and the rest of r.
func (s *Objects) putParts(ctx context.Context, ref object.Ref, buffer []byte, r io.Reader) error {
	made, err := s.client.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{
		Bucket: &ref.Bucket, Key: &ref.Key, ContentType: aws.String(mediaType),
	})
	if err != nil {
		return explain(ref, err)
	}
	parts, err := s.sendParts(ctx, ref, made.UploadId, buffer, r)
	if err == nil {
		_, err = s.client.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{
			Bucket: &ref.Bucket, Key: &ref.Key, UploadId: made.UploadId,
			MultipartUpload: &types.CompletedMultipartUpload{Parts: parts},
		})
		err = explain(ref, err)
	}
	if err == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abortTime)
	defer cancel()
	_, aborted := s.client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{
		Bucket: &ref.Bucket, Key: &ref.Key, UploadId: made.UploadId,
	})
	if aborted != nil && !isStatus(aborted, http.StatusNotFound) {
		return errors.Join(err, fmt.Errorf("take back the parts: %w", aborted))
	}
	return err
}

func (s *Objects) sendParts(
	ctx context.Context, ref object.Ref, upload *string, buffer []byte, r io.Reader,
) ([]types.CompletedPart, error) {
	var parts []types.CompletedPart
	for n := len(buffer); n > 0; {
		if len(parts) == maxParts {
			return nil, fmt.Errorf("objects: %s is longer than %d bytes: %w", ref.Key, int64(maxParts)*partSize,
				object.ErrTooLarge)
		}
		number := aws.Int32(int32(len(parts) + 1))
		out, err := s.client.UploadPart(ctx, &s3.UploadPartInput{
			Bucket: &ref.Bucket, Key: &ref.Key, UploadId: upload, PartNumber: number,
			Body: bytes.NewReader(buffer[:n]), ContentLength: aws.Int64(int64(n)),
		})
		if err != nil {
			return nil, explain(ref, err)
		}
		parts = append(parts, types.CompletedPart{ETag: out.ETag, PartNumber: number})
		n, err = io.ReadFull(r, buffer)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, err
		}
	}
	return parts, nil
}

// explain adds the object's name, and converts the server's error for a missing object into object.ErrNotFound.
func explain(ref object.Ref, err error) error {
	switch {
	case err == nil:
		return nil
	case isStatus(err, http.StatusNotFound):
		return fmt.Errorf("objects: %s/%s: %w", ref.Bucket, ref.Key, object.ErrNotFound)
	}
	return fmt.Errorf("objects: %s/%s: %w", ref.Bucket, ref.Key, err)
}

// isStatus reports whether the server answered with the HTTP status.
func isStatus(err error, status int) bool {
	var response *awshttp.ResponseError
	return errors.As(err, &response) && response.HTTPStatusCode() == status
}

// answered reports whether the server refused, which trying again will not change.
func answered(err error) bool {
	var response *awshttp.ResponseError
	return errors.As(err, &response) && response.HTTPStatusCode()/100 == 4
}
