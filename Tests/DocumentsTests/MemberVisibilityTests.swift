import TestFixtures
import Testing

// Xcode keeps modules elsewhere.
#if os(Linux)
  /// The code of an app in a new project of Xcode, which sees the members of imported modules only.
  @Suite struct MemberVisibilityTests {
    @Test("the quick start compiles")
    func quickStart() throws {
      let blocks = try Project.document("README.md").blocks
      let files = try ["TodoStore.swift", "main.swift"].map { name in
        let block = try #require(blocks.first { $0.isOutside && $0.info.last == name })
        return (name, block.lines.joined(separator: "\n"))
      }
      try expectSuccess(files)
    }

    @Test("options, logs, reports and upcasters need no other import than FluxRecorder")
    func recorder() throws {
      let source = """
        import FluxRecorder
        import Foundation

        func record(in folder: URL) throws -> Recorder {
          var options = Recorder.Options()
          options.app = .init(name: "Todo", version: "1.0")
          options.launchLimits = [.bytes(64 << 20), .launches(50), .age(.seconds(14 * 86_400))]
          options.log.retention = .bytes(16 << 20)
          options.log.overflow = .thin
          let recorder = Recorder(in: folder, name: "todo", options: options)
          if let failure = recorder.failure { print(failure.message) }
          try recorder.export(last: .minutes(10), to: folder.appending(path: "report.jsonl"))
          let timeline = try recorder.timeline()
          print(try timeline.state(of: "todos", at: timeline.end)?["items"]?.count ?? 0)
          return recorder
        }

        func verify(_ path: String) async throws {
          var evolution = Evolution()
          evolution.stateUpcasters["count"] = { $0.kind == .array ? ["total": $0] : $0 }
          let app = AppDefinition(evolution: evolution, store: "count", initial: 0) {
            (count: inout Int, step: Int, _) in count += step
          }
          var options = Verification.Options()
          options.initial = .ignore
          let report = try await app.verify(LogFile.open(path), options: options)
          print(report.verdict == .passed, report.text)
        }
        """
      try expectSuccess([("App.swift", source)], ["-parse-as-library"])
    }

    @Test("a reducer of another architecture needs no other import, whose names would be ambiguous")
    func reducer() throws {
      let source = """
        import FluxRecorder

        struct Login: Codable, Sendable { var token: Secret<String>? }

        let app = AppDefinition(store: "login", initial: Login()) {
          (login: inout Login, token: String, _) in
          guard login.token == nil else { throw Rejection("there is a token") }
          login.token = Secret(token)
        }

        func record(_ login: Login, by recorder: Recorder) {
          var effects = StoreEffects(store: "login")
          effects.start("refresh")
          recorder.record(NamedAction("login"), states: ["login": login], effects: [effects])
        }
        """
      try expectSuccess([("App.swift", source)], ["-parse-as-library"])
    }

    @Test("a test that the inspector writes needs no other import than FluxJSON and FluxTesting")
    func test() throws {
      let source = """
        import FluxJSON
        import FluxTesting

        func reproduce(_ session: TestSession) throws -> Bool {
          try session.dispatch(json: JSON.parse(#"{"type":"cart/clear"}"#), to: "cart", at: 2.5)
          let count = try session.value("length(cart.lines)")
          return try count == 0 && session.mismatches(["cart.total": 0, "cart.coupon": nil]).isEmpty
        }
        """
      try expectSuccess([("CartTests.swift", source)], ["-parse-as-library"])
    }

    private func expectSuccess(
      _ files: [(name: String, text: String)], _ arguments: [String] = []
    ) throws {
      let folder = try TemporaryFolder()
      let paths = try files.map { try folder.write($0.text, to: $0.name) }
      let (code, messages) = try SwiftCompiler.run(
        ["-typecheck", "-enable-upcoming-feature", "MemberImportVisibility", "-module-name", "App"]
          + arguments + SwiftCompiler.imports + paths)
      #expect(code == 0, "\(messages)")
    }
  }
#endif
