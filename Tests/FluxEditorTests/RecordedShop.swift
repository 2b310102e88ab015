import FluxJSON
import Foundation
import TestFixtures

/// A small recording with source lines, and the sources that they name.
struct RecordedShop {
  static let header =
    #"{"flux":"1.1","log":"5f0c","created":"2026-11-20T12:00:00.000000Z","seed":"8c1f0e1d2b3a4958","first":1,"app":{"name":"Shop","version":"1.0"},"stores":{"cart":{"type":"Cart","initial":{"lines":[],"total":0}},"search":{"type":"Search","feature":true}}}"#

  static let steps = [
    #"{"n":1,"t":0.500000,"action":{"type":"cart/add","payload":{"product":"tea"}},"at":"Shop/Cart.swift:2","patches":{"cart":[{"op":"add","path":"/lines/0","value":{"count":1,"id":"tea"}},{"op":"replace","path":"/total","value":480}]}}"#,
    #"{"n":2,"t":1.000000,"action":{"type":"cart/saved","payload":{"ok":true}},"cause":1,"effect":"save","at":"Shop/Store.swift:5"}"#,
    #"{"n":3,"t":1.250000,"action":{"type":"cart/noted"},"cause":2,"at":"Shop/Store.swift:5"}"#,
    #"{"n":4,"t":2.000000,"action":{"type":"cart/add","payload":{"product":""}},"at":"Shop/Cart.swift:2","rejected":{"reason":"refused","message":"a product is needed","store":"cart"}}"#,
    #"{"n":5,"t":3.000000,"action":{"type":"cart/add","payload":{"product":"cup"}},"at":"Shop/Cart.swift:2","patches":{"cart":[{"op":"add","path":"/lines/1","value":{"count":2,"id":"cup"}},{"op":"replace","path":"/total","value":2980}]}}"#,
    #"{"n":6,"t":4.500000,"action":{"type":"search/open"},"target":"search","states":{"search":{"query":""}}}"#,
    #"{"n":7,"t":4.750000,"action":{"type":"search/type","payload":"mi"},"cause":6,"at":"Gone/Lost.swift:7","states":{"search":{"query":"mi"}}}"#,
    #"{"n":8,"t":10.000000,"action":{"type":"cart/clear"},"at":"Shop/Cart.swift:4","took":12,"states":{"cart":{"lines":[],"total":0}},"removed":["search"]}"#,
  ]

  static let end = #"{"end":{"steps":8,"ok":true}}"#

  let folder: TemporaryFolder

  init(_ lines: [String] = [Self.header] + Self.steps + [Self.end]) throws {
    folder = try TemporaryFolder()
    try folder.write(lines.joined(separator: "\n") + "\n", to: "shop.jsonl")
    let manager = FileManager.default
    for name in ["App/Shop", "App/Other"] {
      try manager.createDirectory(at: folder.url(name), withIntermediateDirectories: true)
    }
    try folder.write("// Cart\nadd()\n\nclear()\n", to: "App/Shop/Cart.swift")
    try folder.write("// another\n", to: "App/Other/Cart.swift")
    try folder.write("// Store\n\n\n\nsave()\n", to: "App/Shop/Store.swift")
  }

  var log: String { folder.path("shop.jsonl") }

  /// The path of a source as the adapter names it.
  func source(_ name: String) -> String {
    folder.url("App/\(name)").resolvingSymlinksInPath().path(percentEncoded: false)
  }

  /// The arguments of a launch.
  func arguments(_ more: JSON = [:]) -> JSON {
    JSON(writing: { writer in
      writer.beginObject()
      writer.member("program", log)
      writer.name("sourceRoots")
      writer.strings([folder.path("App")])
      for member in more.members { writer.member(member.name, member.value) }
      writer.endObject()
    })
  }

  /// The arguments of `setBreakpoints` for a file.
  func breakpoints(_ file: String, _ breakpoints: JSON) -> JSON {
    ["source": ["path": .init(stringLiteral: source(file))], "breakpoints": breakpoints]
  }
}
