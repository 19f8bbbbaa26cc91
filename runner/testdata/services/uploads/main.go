// Command uploads is a service for studies: an album that takes pictures, tables and archives, and reads them. It refuses
// other files.
package main

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"image"
	"net/http"

	"sonde/runner/testdata/services/serve"

	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
)

// album has the sizes of the pictures, by id.
type album struct {
	photos map[int]photo
	last   int
}

type photo struct {
	ID     int    `json:"id"`
	Title  string `json:"title"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

func (a *album) reset() { a.photos, a.last = map[int]photo{}, 0 }

func main() {
	a := &album{}
	a.reset()
	serve.Main([]serve.Operation{
		{Pattern: "POST /photos", Do: a.addPhoto},
		{Pattern: "GET /photos/{photoId}", Do: a.getPhoto},
		{Pattern: "PUT /photos/{photoId}/picture", Do: a.replacePicture},
		{Pattern: "POST /contacts/import", Do: importContacts},
		{Pattern: "POST /data", Do: loadData},
	}, a.reset)
}

func refusePicture(err error) error {
	return serve.Refuse(http.StatusUnprocessableEntity, "no picture: %v", err)
}

func (a *album) addPhoto(c *serve.Call) (serve.Answer, error) {
	file, fields, err := c.Form("image")
	if err != nil {
		return serve.Answer{}, err
	}
	size, _, err := image.DecodeConfig(bytes.NewReader(file.Data))
	if err != nil {
		return serve.Answer{}, refusePicture(err)
	}
	// F01: the head of a picture is fine, so its content is expected to be fine, too.
	_, _, err = image.Decode(bytes.NewReader(file.Data))
	if c.Fault("F01", err != nil) {
		panic(err)
	}
	a.last++
	p := photo{a.last, fields["title"], size.Width, size.Height}
	a.photos[p.ID] = p
	return serve.Created(p, "/photos/%d", p.ID)
}

func (a *album) getPhoto(c *serve.Call) (serve.Answer, error) {
	p, ok := a.photos[c.ID("photoId")]
	if !ok {
		return serve.Answer{}, serve.Missing("photo")
	}
	return serve.OK(p)
}

func (a *album) replacePicture(c *serve.Call) (serve.Answer, error) {
	p, ok := a.photos[c.ID("photoId")]
	if !ok {
		return serve.Answer{}, serve.Missing("photo")
	}
	picture, _, err := image.Decode(bytes.NewReader(c.Bytes()))
	if err != nil {
		return serve.Answer{}, refusePicture(err)
	}
	p.Width, p.Height = picture.Bounds().Dx(), picture.Bounds().Dy()
	a.photos[p.ID] = p
	return serve.OK(p)
}

// counted is the number of things in a file.
type counted struct {
	Count int `json:"count"`
}

func importContacts(c *serve.Call) (serve.Answer, error) {
	file, _, err := c.Form("file")
	if err != nil {
		return serve.Answer{}, err
	}
	rows, err := csv.NewReader(bytes.NewReader(file.Data)).ReadAll()
	if err != nil || len(rows) < 2 || len(rows[0]) < 2 {
		return serve.Answer{}, serve.Refuse(http.StatusUnprocessableEntity, "no table of contacts")
	}
	return serve.OK(counted{len(rows) - 1})
}

// maxName is the number of bytes that a file system allows for a name.
const maxName = 255

func loadData(c *serve.Call) (serve.Answer, error) {
	file, _, err := c.Form("file")
	if err != nil {
		return serve.Answer{}, err
	}
	archive, err := zip.NewReader(bytes.NewReader(file.Data), int64(len(file.Data)))
	if err != nil {
		return serve.Answer{}, serve.Refuse(http.StatusUnsupportedMediaType, "the file is not of the kind that is wanted")
	}
	// F02: the file is kept under its own name.
	if c.Fault("F02", len(file.Name) > maxName) {
		panic(fmt.Errorf("%.10s…: file name too long", file.Name))
	}
	return serve.OK(counted{len(archive.File)})
}
