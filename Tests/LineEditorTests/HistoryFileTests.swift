import Foundation
import TestFixtures
import Testing

@testable import LineEditor

@Suite("History file")
struct HistoryFileTests {
  @Test("makes its folder and itself for the user alone, and keeps entries in order")
  func appends() throws {
    let folder = try TemporaryFolder()
    let history = HistoryFile(path: folder.path("a/b/history"))
    #expect(try history.load() == [])
    for entry in ["one", "two\nlines", "one", "", " secret"] { try history.append(entry) }
    #expect(try history.append("three"))
    #expect(try !history.append(" secret"))
    #expect(try history.load() == ["two\nlines", "one", "three"])
    #expect(try folder.text(of: "a/b/history") == "one\ntwo\\nlines\none\nthree\n")
    #expect(try folder.permissions(of: "a/b/history") == 0o600)
    #expect(try folder.permissions(of: "a/b") == 0o700)
    #expect(try folder.permissions(of: "a") == 0o700)
  }

  @Test("protects a file that others could read")
  func protects() throws {
    let folder = try TemporaryFolder()
    try folder.write("old\n", to: "history")
    #expect(try folder.permissions(of: "history") != 0o600)
    #expect(try HistoryFile(path: folder.path("history")).load() == ["old"])
    #expect(try folder.permissions(of: "history") == 0o600)
  }

  @Test("refuses a link and another user's file, and changes neither")
  func refuses() throws {
    let folder = try TemporaryFolder()
    try folder.write("precious\n", to: "victim")
    for (name, target) in [("history", "victim"), ("dangling", "nothing")] {
      #expect(unsafe symlink(target, folder.path(name)) == 0)
      let path = folder.path(name)
      let cause = "Too many levels of symbolic links"
      #expect(throws: FileError(path: path, operation: "open", cause: cause)) {
        try HistoryFile(path: path).append("secret")
      }
    }
    if geteuid() == 0 {
      let path = try folder.write("theirs\n", to: "theirs")
      #expect(unsafe chown(path, 65534, 65534) == 0)
      let cause = "it belongs to another user"
      #expect(throws: FileError(path: path, operation: "use", cause: cause)) {
        try HistoryFile(path: path).load()
      }
      #expect(try folder.permissions(of: "theirs") != 0o600)
    }
    #expect(try folder.text(of: "victim") == "precious\n")
    #expect(try folder.permissions(of: "victim") != 0o600)
    #expect(try !folder.names().contains("nothing"))
  }

  @Test("cuts the file in one of its own, whose name nobody can predict")
  func drafts() throws {
    let folder = try TemporaryFolder()
    try folder.write("mine", to: "history.new")
    try folder.write("a\nb\nc\nd\ne\n", to: "history")
    #expect(try HistoryFile(path: folder.path("history"), limit: 1).load() == ["e"])
    #expect(try folder.text(of: "history") == "e\n")
    #expect(try folder.text(of: "history.new") == "mine")
    #expect(try folder.names() == ["history", "history.new"])
  }

  @Test("begins a new line behind one that was cut off")
  func continuesTornLine() throws {
    let folder = try TemporaryFolder()
    try folder.write("whole\ntor", to: "history")
    let history = HistoryFile(path: folder.path("history"))
    try history.append("next")
    #expect(try history.load() == ["whole", "tor", "next"])
  }

  @Test("cuts the file once it is four times as long as wanted")
  func compacts() throws {
    let folder = try TemporaryFolder()
    let history = HistoryFile(path: folder.path("history"), limit: 3)
    for number in 1...12 { try history.append("e\(number)") }
    #expect(try history.load() == ["e10", "e11", "e12"])
    #expect(try folder.text(of: "history").split(separator: "\n").count == 12)
    try history.append("e13")
    #expect(try history.load() == ["e11", "e12", "e13"])
    #expect(try folder.text(of: "history") == "e11\ne12\ne13\n")
    #expect(try folder.permissions(of: "history") == 0o600)
  }

  @Test("loses nothing of several sessions at once, not even while one of them cuts the file")
  func survivesSessions() async throws {
    let folder = try TemporaryFolder()
    try folder.write(String(repeating: "old\n", count: 5000), to: "history")
    let history = HistoryFile(path: folder.path("history"), limit: 1000)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for session in 0..<4 {
        group.addTask {
          for number in 0..<50 {
            try history.append("s\(session) \(number)")
            if number % 20 == session { _ = try history.load() }
          }
        }
      }
      try await group.waitForAll()
    }
    let entries = try history.load()
    for session in 0..<4 {
      #expect(
        entries.filter { $0.hasPrefix("s\(session)") } == (0..<50).map { "s\(session) \($0)" })
    }
    #expect(try folder.text(of: "history").split(separator: "\n").count <= 201)
  }

  @Test("says what the system will not do")
  func fails() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "file")
    let inFile = folder.path("file") + "/history"
    #expect(throws: FileError(path: inFile, operation: "open", cause: "Not a directory")) {
      try HistoryFile(path: inFile).append("x")
    }
    let directory = HistoryFile(path: folder.path("sub"))
    try HistoryFile(path: folder.path("sub/history")).append("x")
    #expect(throws: FileError(path: folder.path("sub"), operation: "open", cause: "Is a directory"))
    {
      try directory.append("x")
    }
    #expect(FileError(path: "p", operation: "lock", cause: "c").description == "p: cannot lock: c")
  }
}
