import Foundation
import Testing

/// The privacy manifest against the sources that an app links.
@Suite struct PrivacyManifestTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The targets that an app links.
  private static let targets = [
    "CChecksum", "CPlatform", "CTokens", "FluxCore", "FluxJSON", "FluxLog", "FluxRecorder",
    "FluxReplay", "FluxSystem",
  ]

  /// A category of functions for which Apple wants a reason: how their calls look, and the reason of this project.
  private struct Category {
    let name: String
    let calls: [String]
    let reason: String?
  }

  private static let categories = [
    Category(
      name: "FileTimestamp",
      calls: [
        "stat(", "fstat(", "fstatat(", "lstat(", "getattrlist(", ".creationDate",
        ".modificationDate",
        "contentModificationDateKey", "creationDateKey",
      ], reason: "C617.1"),
    Category(
      name: "DiskSpace",
      calls: [
        "statfs(", "fstatfs(", "statvfs(", "fstatvfs(", ".systemFreeSize", ".systemSize",
        "volumeAvailableCapacity",
      ], reason: "E174.1"),
    Category(
      name: "SystemBootTime", calls: ["systemUptime", "mach_absolute_time("], reason: nil),
    Category(name: "ActiveKeyboards", calls: ["activeInputModes"], reason: nil),
    Category(name: "UserDefaults", calls: ["UserDefaults"], reason: nil),
  ]

  private static func manifest() throws -> [String: Any] {
    let data = try Data(
      contentsOf: root.appending(path: "Sources/FluxSystem/PrivacyInfo.xcprivacy"))
    return try #require(
      try unsafe PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
  }

  @Test(
    "the manifest has a reason for each category of functions that the libraries call, and for no other"
  )
  func reasons() throws {
    let types = try #require(
      try Self.manifest()["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
    var declared: [String: [String]] = [:]
    for type in types {
      let name = try #require(type["NSPrivacyAccessedAPIType"] as? String)
      declared[name] = type["NSPrivacyAccessedAPITypeReasons"] as? [String]
    }
    let expected = Self.categories.compactMap { category in
      category.reason.map { ("NSPrivacyAccessedAPICategory\(category.name)", [$0]) }
    }
    #expect(declared == Dictionary(uniqueKeysWithValues: expected))
  }

  @Test("nothing is collected, and nobody is tracked")
  func tracking() throws {
    let manifest = try Self.manifest()
    #expect(manifest["NSPrivacyTracking"] as? Bool == false)
    for key in ["NSPrivacyTrackingDomains", "NSPrivacyCollectedDataTypes"] {
      #expect((manifest[key] as? [Any])?.isEmpty == true, "\(key)")
    }
    #expect(manifest.count == 4)
  }

  @Test(
    "the libraries call functions of the declared categories only", arguments: categories.indices)
  func calls(_ index: Int) throws {
    let category = Self.categories[index]
    var found: [String] = []
    for target in Self.targets {
      let folder = Self.root.appending(path: "Sources/\(target)")
      let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      for path in paths where [".swift", ".c", ".h"].contains(where: path.hasSuffix) {
        let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        for line in text.split(separator: "\n") where Self.calls(line, category.calls) {
          found.append("\(target)/\(path): \(line)")
        }
      }
    }
    #expect(found.isEmpty == (category.reason == nil), "\(found)")
  }

  /// `true` if a line of code, and not of a comment, has one of the calls as a whole word.
  private static func calls(_ line: Substring, _ calls: [String]) -> Bool {
    let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
    return calls.contains { call in
      code.ranges(of: call).contains { range in
        guard range.lowerBound > code.startIndex, call.first?.isLetter == true else { return true }
        let before = code[code.index(before: range.lowerBound)]
        return !before.isLetter && before != "_" && before != "."
      }
    }
  }
}
