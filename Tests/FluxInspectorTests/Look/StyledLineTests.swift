import Testing

@testable import FluxCommands
@testable import FluxInspector

@Suite struct StyledLineTests {
  @Test("the lines of a long text are all there, with their roles")
  func lines() throws {
    let lines = try StyledLine.lines { output in
      for number in 0..<5000 {
        output.write("\(number)", .number)
        output.write(" is ")
        output.write("a step\u{1B}")
        try output.endLine()
      }
    }
    #expect(lines.count == 5000)
    #expect(
      lines.first == StyledLine([.init("0", .number), .init(" is a step\\u001b")]))
    #expect(lines.last?.text == "4999 is a step\\u001b")
  }
}
