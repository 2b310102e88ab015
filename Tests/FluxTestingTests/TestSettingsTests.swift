import FluxRecordings
import Foundation
import TestFixtures
import Testing

@Suite struct TestSettingsTests {
  @Test(
    "CI is anything but nothing",
    arguments: [([:], false), (["CI": ""], false), (["CI": "true"], true), (["CI": "0"], true)])
  func ci(_ environment: [String: String], _ expected: Bool) {
    #expect(TestSettings(environment: environment).isCI == expected)
  }

  @Test(
    "updating is asked for by anything but nothing and 0",
    arguments: [
      ([:], false), (["FLUX_UPDATE": ""], false), (["FLUX_UPDATE": "0"], false),
      (["FLUX_UPDATE": "1"], true),
    ])
  func updates(_ environment: [String: String], _ expected: Bool) {
    #expect(TestSettings(environment: environment).updates == expected)
  }

  @Test("logs of failed tests are kept in FLUX_RECORDINGS, or in a folder that nobody can predict")
  func folder() {
    let named = TestSettings(environment: ["FLUX_RECORDINGS": "/somewhere/logs"])
    #expect(named.folder.path == "/somewhere/logs")
    let temporary = TestSettings(environment: ["FLUX_RECORDINGS": ""]).folder
    #expect(temporary.lastPathComponent.hasPrefix("flux-recordings-"))
    #expect(temporary != TestSettings(environment: [:]).folder)
  }
}
