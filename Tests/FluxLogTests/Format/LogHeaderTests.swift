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
}
