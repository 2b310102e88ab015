import TestFixtures
import Testing

#if os(Linux)
  /// Compiles stores against the built module: mistakes do not compile, and the message says what to write.
  @Suite struct MistakeTests {
    /// Returns what the compiler says about a reducer's effects and about other declarations, without its notes.
    private func errors(_ effects: [String], _ declarations: String = "") throws -> [String] {
      let folder = try TemporaryFolder()
      let source = try folder.write(
        """
        import FluxCore

        enum LoadAction: Action { case load, loaded(Int), done, failed, refused(String), ended(Bool) }

        extension EffectName { static let load: EffectName = "load" }

        struct LoadStore: Store {
          let service: @Sendable () async throws -> Int
          let answer: @Sendable () async -> Int
          let initialState = 0

          func reduce(_ count: inout Int, _ action: LoadAction, _ step: inout Step) {
            \(effects.joined(separator: "\n    "))
          }
        }
        \(declarations)

        """, to: "LoadStore.swift")
      let (code, text) = try SwiftCompiler.run(
        ["-typecheck", "-diagnostic-style", "llvm"] + SwiftCompiler.imports + [source])
      let errors = text.matches(of: /(?m)^.*?:(\d+):\d+: error: (.*)$/)
        .sorted { Int($0.output.1) ?? 0 < Int($1.output.1) ?? 0 }.map { String($0.output.2) }
      #expect((code == 0) == errors.isEmpty, "\(text)")
      return errors
    }

    @Test("the compiler says what to write instead of a mistaken effect")
    func mistakenEffects() throws {
      let mistakes = [
        (
          #"step.effect("load", then: LoadAction.loaded) { [service] in try await service() }"#,
          "'effect(_:_:then:file:line:_:)' is unavailable: this operation can fail: "
            + "add `catch:`, which makes the action for its error"
        ),
        (
          #"step.effect("load") { [service] send in send(LoadAction.loaded(try await service())) }"#,
          "'effect(_:_:file:line:_:)' is unavailable: this operation can fail: "
            + "catch its errors in it, and send an action for them"
        ),
        (
          #"step.effect("load") { [answer] in LoadAction.loaded(await answer()) }"#,
          "'effect(_:_:file:line:_:)' is unavailable: this operation returns an action: "
            + "`then: { $0 }` dispatches it"
        ),
        (
          #"step.effect("load", then: LoadAction.done) { [answer] in await answer() }"#,
          "'effect(_:_:then:catch:retry:file:line:_:)' is unavailable: `then:` makes an action "
            + "from the result: `then: { _ in .done }` for an action without one"
        ),
        (
          #"step.effect("load", then: LoadAction.loaded, catch: .failed) { [service] in try await service() }"#,
          "'effect(_:_:then:catch:retry:file:line:_:)' is unavailable: `catch:` makes an action "
            + "from the error: `catch: { _ in .failed }` for an action without one"
        ),
        (
          #"step.effect("load", then: LoadAction.loaded, catch: LoadAction.refused) { [service] in try await service() }"#,
          "'effect(_:_:then:catch:retry:file:line:_:)' is unavailable: `catch:` makes an action "
            + #"from the error: `catch: { .failed("\($0)") }` for an action with a text"#
        ),
        ("step.cancel(.laod)", "type 'EffectName' has no member 'laod'"),
      ]
      #expect(try errors(mistakes.map(\.0)) == mistakes.map(\.1))
    }

    @Test("the compiler says which parameters a reducer has")
    func mistakenReducer() throws {
      let found = try errors(
        [],
        """
        struct CountStore: Store {
          let initialState = 0
          func reduce(_ count: inout Int, _ action: LoadAction) { count += 1 }
        }
        """)
      #expect(
        found.sorted() == [
          "type 'CountStore' does not conform to protocol 'Store'",
          "unavailable instance method 'reduce' was used to satisfy a requirement of protocol 'Store': "
            + "declare `func reduce(_ state: inout State, _ action: …, _ step: inout Step) throws` "
            + "with all three parameters, without async and a result; the state of a feature is `Phase?`, and a store "
            + "without actions is a Projection",
        ])
    }

    @Test("the compiler says how to observe a store")
    func mistakenObservations() throws {
      let found = try errors(
        [],
        """
        func observe(_ dispatcher: Dispatcher, _ loads: StoreHandle<LoadStore>) {
          _ = loads.observe { print($0) }
          _ = dispatcher.observe(LoadStore.self) { print($0) }
          _ = loads.observe(\\.self) { print($0) }
        }
        """)
      #expect(
        found == [
          #"'observe(initial:_:)' is unavailable: say which value to observe: `observe(\.self) { … }` for the whole state"#,
          "'observe(_:initial:_:)' is unavailable: observe a store through its handle: "
            + #"`store(MyStore.self).observe(\.self) { … }`"#,
        ])
    }

    @Test("effects that handle their errors compile, and so do names that exist and other stores")
    func handled() throws {
      let effects = [
        """
        step.effect("load", then: LoadAction.loaded, catch: { _ in .failed }) { [service] in
          try await service()
        }
        """,
        """
        step.effect(
          "load-\\(count)", then: LoadAction.loaded, catch: { .refused("\\($0)") },
          retry: .backoff(attempts: 3)
        ) { [service] in try await service() }
        """,
        """
        step.effect("load", ending: { LoadAction.ended((try? $0.get()) != nil) }) { [service] in
          try await service()
        }
        """,
        #"step.effect("load", then: LoadAction.loaded) { [answer] in await answer() }"#,
        #"step.effect("load", then: { _ in LoadAction.done }) { [answer] in await answer() }"#,
        #"step.effect("load") { [answer] send in send(LoadAction.loaded(await answer())) }"#,
        "step.cancel(.load)",
      ]
      #expect(try errors(effects, "struct Shadow: Projection { let initialState = 0 }") == [])
    }
  }
#endif
