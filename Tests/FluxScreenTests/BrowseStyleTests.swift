import FluxCommands
import FluxInspector
import FluxTerminal
import Testing

@testable import FluxScreen

@Suite struct BrowseStyleTests {
  /// The relative luminance of a color of xterm's table of 256 (WCAG 2.2).
  private func luminance(_ index: UInt8) -> Double {
    func linear(_ level: Int) -> Double {
      let share = Double(level) / 255
      return share <= 0.04045 ? share / 12.92 : power((share + 0.055) / 1.055)
    }
    // x^2.4 as x² · x^0.4, with the fifth root of x².
    func power(_ x: Double) -> Double {
      var root = 1.0
      for _ in 0..<60 {
        root -= (root * root * root * root * root - x * x) / (5 * root * root * root * root)
      }
      return x * x * root
    }
    if index >= 232 { return linear(8 + 10 * (Int(index) - 232)) }
    let levels = [0, 95, 135, 175, 215, 255]
    let cube = Int(index) - 16
    return 0.2126 * linear(levels[cube / 36]) + 0.7152 * linear(levels[cube / 6 % 6])
      + 0.0722 * linear(levels[cube % 6])
  }

  @Test("every shade is legible on black and on white", arguments: TextRole.allCases)
  func contrast(_ role: TextRole) {
    guard case .indexed(let index)? = BrowseStyle(.indexed)(role).color else {
      return #expect(role == .plain || role == .heading)
    }
    let luminance = luminance(index)
    #expect((luminance + 0.05) / 0.05 >= 4)
    #expect(1.05 / (luminance + 0.05) >= 4)
  }

  @Test("roles that differ in meaning differ in color, and the sixteen colors have no blue")
  func roles() {
    for colors in [TerminalColors.sixteen, .indexed] {
      let style = BrowseStyle(colors)
      let roles: [TextRole] = [.plain, .number, .action, .path, .added, .removed, .dim]
      #expect(Set(roles.map { style($0) }).count == roles.count)
    }
    #expect(TextRole.allCases.allSatisfy { BrowseStyle(nil)($0) == .plain })
  }
}
