import Testing

@testable import FluxLog

@Suite struct LineSumTests {
  private static let line = #"{"mark":"login done","t":3.200000,"sum":"500dfc57"}"#

  private static func read(_ text: String) throws(LineFault) { _ = try LogLine(Array(text.utf8)) }

  @Test("The sum covers the bytes before its comma")
  func covers() throws {
    try Self.read(Self.line)
    try Self.read(Self.line.replacing("500dfc57", with: "500DFC57"))
  }

  @Test("A sum with blanks around it is checked")
  func blanks() throws {
    let blanks = #"{"mark":"m","t":0 , "sum" : "9f36b43a" }"#
    try Self.read(blanks)
    #expect(throws: LineFault.self) { try Self.read(blanks.replacing(#""m""#, with: #""n""#)) }
  }

  @Test("The message of a wrong sum names the found and the expected sum")
  func wrong() {
    let edited = Self.line.replacing("login", with: "logon")
    let fault = #expect(throws: LineFault.self) { try Self.read(edited) }
    guard case .wrongSum(let found, let expected) = fault?.problem else {
      Issue.record("\(String(describing: fault))")
      return
    }
    #expect(found == "500dfc57")
    #expect(expected != found && expected.count == 8)
    #expect(fault?.byte == 40)
    #expect(
      fault?.problem.message == """
        the checksum is \(found), expected \(expected): the line was edited or damaged; to accept an \
        edit, delete its "sum"
        """)
  }

  @Test(
    "A sum that is not eight hex digits is of the wrong type",
    arguments: ["1", #""123""#, #""123456789""#, #""1234567g""#, #""+1234567""#, "null"])
  func wrongType(sum: String) {
    let problem = LineProblem.wrongType(member: "sum", expected: "a string of eight hex digits")
    #expect(throws: LineFault(problem: problem, byte: 16)) {
      try Self.read(#"{"note":1,"sum":\#(sum)}"#)
    }
  }

  @Test("A member called sum elsewhere has no meaning")
  func elsewhere() throws {
    try Self.read(#"{"note":{"sum":"00000000"}}"#)
  }

  @Test("Changing any byte to any other value is detected")
  func flips() throws {
    let original = Array(Self.line.utf8)
    for place in original.indices {
      for change in UInt8(1)...255 {
        var bytes = original
        bytes[place] ^= change
        // An uppercase digit does not change the sum.
        let isCapital = place >= 41 && place < 49 && change == 0x20
        guard !isCapital, bytes[place] != 0x0A else { continue }
        let result = Result { () throws(LineFault) in try LogLine(bytes) }
        // A line without a sum is accepted and has the same content.
        if case .success(let line) = result {
          #expect(line == (try LogLine(original)), "byte \(place) changed by \(change)")
          #expect((35..<38).contains(place))
        }
      }
    }
  }
}
