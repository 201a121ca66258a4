package main

import (
	"os"
	"testing"

	"millwright.dev/millwright/adapters/portal/browsertest"
)

// fusionLibrary is a tool library of Fusion: two mills, of which one lacks its flute count, a drill and a probe.
const fusionLibrary = `{"data":[
 {"type":"flat end mill","description":"Mill 10","unit":"millimeters","guid":"a1","BMC":"carbide",
  "geometry":{"DC":10,"LCF":22,"OAL":72,"SFDM":10,"LB":40,"shoulder-length":30},
  "post-process":{"number":1}},
 {"type":"flat end mill","description":"Mill 6","unit":"millimeters","guid":"a2","BMC":"carbide",
  "geometry":{"DC":6,"NOF":3,"LCF":18,"OAL":60,"SFDM":6,"LB":32,"shoulder-length":24},"post-process":{"number":2}},
 {"type":"drill","description":"Drill 5","unit":"millimeters","guid":"a3","BMC":"carbide",
  "geometry":{"DC":5,"NOF":2,"LCF":50,"OAL":90,"SFDM":5,"LB":60,"SIG":118,"shoulder-length":50},"post-process":{"number":2}},
 {"type":"probe","description":"Probe","unit":"millimeters","guid":"a4","geometry":{"DC":6}}],"version":12}`

// freecadBit is a tool bit of FreeCAD.
const freecadBit = `{"version":2,"name":"5mm","shape":"endmill.fcstd","parameter":{"Diameter":"5 mm","Flutes":"2"}}`

// TestShopInABrowser runs the suite of the pages of the shop on a service with a worker.
func TestShopInABrowser(t *testing.T) {
	whole(t)
	data, err := os.ReadFile("example/bracket.step")
	if err != nil {
		t.Fatal(err)
	}
	axe := browsertest.Axe(t)
	onEachStore(t, func(t *testing.T) {
		folder := t.TempDir()
		p := serve(t, folder, "--device", "cpu")
		browsertest.RunShop(t, browsertest.ShopServer{
			Server: browsertest.Server{
				Origin: p.base,
				Link:   func() string { return portalLinkOf(t, folder, "--team", "t", "--url", p.base) },
			},
			Part:    browsertest.File{Name: "bracket.step", Data: data},
			Library: browsertest.File{Name: "Fusion shop.json", Data: []byte(fusionLibrary)},
			Tools: map[string]browsertest.File{
				"FreeCAD":  {Name: "5mm.fctb", Data: []byte(freecadBit)},
				"LinuxCNC": {Name: "tool.tbl", Data: []byte("T1 P1 D5 ;end mill\n")},
			},
			Axe: axe,
			Few: os.Getenv("MILLWRIGHT_DATABASE") != "", // the pages are the same
		})
	})
}
