import Testing

@testable import FluxJSON

@Suite struct JSONWriterTests {
  @Test("Commas and colons are put where they belong")
  func structure() throws {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("empty")
    writer.beginArray()
    writer.endArray()
    writer.name("list")
    writer.beginArray()
    writer.int(-1)
    writer.uint(.max)
    writer.beginObject()
    writer.endObject()
    writer.null()
    writer.bool(false)
    writer.string("a\"\u{1}é")
    writer.double(-0.0)
    writer.double(2)
    writer.double(.nan)
    writer.double(-.infinity)
    writer.number(try #require(JSONNumber("1.50e400")))
    writer.endArray()
    writer.name("\n")
    writer.raw(try JSON.parse(" [ 1 ] "))
    writer.name("bytes")
    writer.raw("7".utf8)
    writer.endObject()
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"{"empty":[],"list":[-1,18446744073709551615,{},null,false,"a\"\u0001é",-0,2,"NaN","#
        + #""-Infinity",1.50e400],"\n":[ 1 ],"bytes":7}"#)
    #expect(try writer.json()["list"]?.count == 11)
    #expect(throws: JSONError(byte: 0, reason: .empty)) { try JSONWriter().json() }
  }

  @Test("Bytes are taken from a writer in the midst of a value")
  func taking() {
    var writer = JSONWriter()
    var bytes: [UInt8] = []
    writer.beginArray()
    for number in 1...3 {
      writer.int(number)
      bytes += writer.takeBytes()
    }
    writer.endArray()
    #expect(String(decoding: bytes + writer.takeBytes(), as: UTF8.self) == "[1,2,3]")
    #expect(writer.bytes.isEmpty)
  }
}
