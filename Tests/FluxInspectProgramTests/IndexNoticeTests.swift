import Foundation
import TestFixtures
import Testing

@testable import ScriptCommands

@Suite("The note about index files")
struct IndexNoticeTests {
  private let folder: TemporaryFolder
  private let environment: [String: String]

  init() throws {
    folder = try TemporaryFolder()
    environment = ["XDG_STATE_HOME": folder.url.path(percentEncoded: false) + "/state"]
  }

  @Test("It comes once for each user")
  func once() {
    let notice = IndexNotice(environment: environment, isTerminal: true)
    #expect(notice.take(for: []) == nil)
    #expect(
      notice.take(for: ["logs/a\u{1B}.jsonl.idx", "b.idx"]) == """
        note: wrote logs/a\\u{1b}.jsonl.idx, an index with which this large log opens faster; \
        FLUX_INDEX=off turns indexes off (this note appears once)
        """)
    #expect(notice.take(for: ["b.idx"]) == nil)
    #expect(IndexNotice(environment: environment, isTerminal: true).take(for: ["b.idx"]) == nil)
  }

  @Test("It stays away from files, pipes and CI")
  func quiet() throws {
    #expect(IndexNotice(environment: environment, isTerminal: false).take(for: ["b.idx"]) == nil)
    var ci = environment
    ci["CI"] = "true"
    #expect(IndexNotice(environment: ci, isTerminal: true).take(for: ["b.idx"]) == nil)
    #expect(try folder.names() == [])
  }

  @Test("Without a place to remember it, there is none")
  func unwritable() throws {
    _ = try folder.write("", to: "state")
    #expect(IndexNotice(environment: environment, isTerminal: true).take(for: ["b.idx"]) == nil)
  }
}

@Suite("The folders of the user")
struct UserFolderTests {
  @Test("They are those of the XDG specification, and on macOS the folder for caches")
  func folders() {
    let linux = UserFolders(["HOME": "/home/mo", "XDG_CACHE_HOME": "caches"], system: "Linux")
    #expect(linux.initFile == "/home/mo/.config/flux-inspect/init")
    #expect(linux.history == "/home/mo/.local/state/flux-inspect/history")
    #expect(linux.cache == "/home/mo/.cache/flux-inspect")
    let mac = UserFolders(["HOME": "/Users/mo"], system: "macOS")
    #expect(mac.cache == "/Users/mo/Library/Caches/flux-inspect")
    let own = UserFolders(["HOME": "/Users/mo", "XDG_CACHE_HOME": "/var/caches"], system: "macOS")
    #expect(own.cache == "/var/caches/flux-inspect")
  }
}
