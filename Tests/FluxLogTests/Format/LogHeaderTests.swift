import FluxJSON
import Testing

@testable import FluxLog

@Suite struct LogHeaderTests {
  @Test("A header with too many stores is refused")
  func stores() throws {
    let line = try JSON.parse(#"{"flux":"1.1","stores":{"a":{},"b":{},"c":{}}}"#)
    let limit = MemoryLimit(byteCount: 2_000)
    let stores = try LogHeader.Store.all(LineMembers(line), limit: limit)
    #expect(stores.map(\.name) == ["a", "b", "c"])
    let error = #expect(throws: LineFault.self) {
      try LogHeader.Store.all(LineMembers(line), limit: MemoryLimit(byteCount: 1_900))
    }
    #expect(
      error?.problem.message == """
        the header declares 3 stores, and at most 2 are read; set FLUX_MEMORY_LIMIT to more \
        megabytes to raise the limit
        """)
    #expect(error?.byte == 23)
  }

  @Test("A header that is written again keeps the members of a newer version, also those of stores")
  func newer() throws {
    let old = try JSON.parse(
      #"{"flux":"1.9","new":1,"stores":{"a":{"type":"A","new":2,"initial":0},"gone":{}},"newer":[3.0],"redacted":["/a"],"sum":"00000000"}"#
    )
    var header = try LogHeader(old)
    header.stores = [.init(name: "a", initial: 5), .init(name: "b", isFeature: true)]
    (header.redacted, header.only) = ([], ["/b"])
    let text = LineBuffer.lines { lines in
      lines.line(
        of: header, LogHeader.fields, over: old, replacing: ["stores", "redacted", "only"])
    }
    #expect(
      String(decoding: text, as: UTF8.self)
        == SampleLog.summed(
          #"{"flux":"1.9","new":1,"stores":{"a":{"new":2,"initial":5},"b":{"feature":true}},"newer":[3.0],"only":["/b"]}"#
        ))
  }
}
