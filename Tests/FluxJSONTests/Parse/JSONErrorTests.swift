import Testing

@testable import FluxJSON

@Suite struct JSONErrorTests {
  @Test(
    "Messages say what is wrong, where, and what was expected",
    arguments: [
      ("", "byte 0: there is no JSON value; expected one"),
      ("[", "byte 1: the text ends inside a JSON value; it was probably cut off"),
      ("[}", "byte 1: unexpected '}' (0x7D); not allowed at this place in a JSON value"),
      ("\u{7F}", "byte 0: unexpected byte 0x7F; not allowed at this place in a JSON value"),
      ("1 2", "byte 2: unexpected text after the JSON value"),
      ("-a", "byte 0: not a JSON number; expected digits, without leading zeros"),
      (
        #""\a""#,
        #"byte 1: not a JSON escape; expected one of \" \\ \/ \b \f \n \r \t \u0000"#
      ),
      ("\"\n\"", "byte 1: byte 0x0A in a string; write it as an escape"),
      (
        String(repeating: "[", count: 600),
        "byte 512: more than 512 arrays and objects inside each other"
      ),
    ])
  func messages(text: String, message: String) {
    #expect(throws: JSONError.self) { try JSON.parse(text) }
    do throws(JSONError) {
      _ = try JSON.parse(text)
    } catch {
      #expect(error.message == message)
      #expect("\(error)" == message)
    }
  }

  @Test("A text beyond four gibibytes is refused before it is read")
  func tooLong() throws {
    // The address is never read: the length is refused first.
    let byte: [UInt8] = [0x31]
    var tape = JSONTapeBuffer()
    let error: JSONError? = unsafe byte.withUnsafeBytes { bytes in
      let long = unsafe UnsafeRawBufferPointer(start: bytes.baseAddress, count: 1 << 32)
      do throws(JSONError) {
        try JSONParser.parse(unsafe JSONBytes(long), into: &tape)
        return nil
      } catch { return error }
    }
    #expect(error == JSONError(byte: 4_294_967_295, reason: .tooLong))
    #expect(error?.message == "byte 4294967295: the text is longer than 4294967295 bytes")
  }
}
