import Foundation

/// The files of a flight recorder: `run.jsonl` becomes `run.0001.jsonl`, `run.0002.jsonl`, ….
struct SegmentNames {
  private let stem: String
  private let suffix: String

  init(path: String) {
    let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else {
      (stem, suffix) = (path, "")
      return
    }
    stem = String(path[..<dot])
    suffix = String(path[dot...])
  }

  /// The path of the segment of a number, from 1 on.
  func path(_ number: Int) -> String {
    let digits = String(number)
    let zeros = String(repeating: "0", count: max(0, 4 - digits.utf8.count))
    return "\(stem).\(zeros)\(digits)\(suffix)"
  }

  /// The number after the highest that there is, so that no older recording is touched.
  func firstFree() -> Int {
    let folder = stem.lastIndex(of: "/").map { String(stem[...$0]) } ?? "."
    let name = stem[(stem.lastIndex(of: "/").map { stem.index(after: $0) } ?? stem.startIndex)...]
    let files: [String]
    do {
      files = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      // Making the first segment tells what is wrong with the folder, or that the file is there.
      return 1
    }
    let numbers = files.compactMap { file -> Int? in
      guard file.hasPrefix("\(name)."), file.hasSuffix(suffix) else { return nil }
      let digits = file.dropFirst(name.count + 1).dropLast(suffix.count)
      // What is longer is no number of ours, and might be the last there is.
      guard digits.utf8.count < 10, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
        return nil
      }
      return Int(digits)
    }
    return (numbers.max() ?? 0) + 1
  }
}
