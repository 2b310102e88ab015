import Testing

@testable import FluxLog

@Suite struct FormatVersionTests {
  @Test("A version is two numbers separated by a dot")
  func read() {
    #expect(FormatVersion("1.2") == .current)
    #expect(FormatVersion("1.1") == .plain)
    #expect(FormatVersion("12.34") == FormatVersion(major: 12, minor: 34))
    #expect(FormatVersion("12.34")?.description == "12.34")
  }

  @Test(
    "Anything else is no version",
    arguments: ["", "1", "1.", ".1", "1.0.0", "+1.0", "1.-0", "v1.0", "99999999999.0", "1 .0"])
  func refused(text: String) {
    #expect(FormatVersion(text) == nil)
  }
}
