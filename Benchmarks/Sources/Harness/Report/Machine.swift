import Foundation

/// What figures depend on besides the code.
package struct Machine: Codable, Equatable, Sendable {
  package let processors: Int
  package let architecture: String
  package let system: String
  package let swift: String

  package init(processors: Int, architecture: String, system: String, swift: String) {
    self.processors = processors
    self.architecture = architecture
    self.system = system
    self.swift = swift
  }

  /// The machine that this runs on, and the compiler that built this.
  package static var current: Machine {
    Machine(
      processors: ProcessInfo.processInfo.activeProcessorCount, architecture: architecture,
      system: system, swift: swift)
  }

  #if arch(x86_64)
    private static let architecture = "x86_64"
  #elseif arch(arm64)
    private static let architecture = "arm64"
  #else
    private static let architecture = "another architecture"
  #endif

  #if os(Linux)
    private static let system = "Linux"
  #else
    private static let system = "macOS"
  #endif

  #if compiler(>=6.4)
    private static let swift = "6.4 or later"
  #elseif compiler(>=6.3)
    private static let swift = "6.3"
  #else
    private static let swift = "6.2"
  #endif
}

extension Machine {
  /// What the instructions of a program depend on.
  package var kind: String { "\(architecture), \(system), Swift \(swift)" }
}

extension Machine: CustomStringConvertible {
  package var description: String {
    "\(processors) processors (\(architecture)), \(system), Swift \(swift)"
  }
}
