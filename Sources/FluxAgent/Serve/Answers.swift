import FluxInspector
import FluxJSON

/// Answers the requests that take work: tools, resources and prompts.
struct Answers: Sendable {
  private let toolbox: Toolbox
  private let library: LogLibrary
  let catalogue: Catalogue

  init(_ world: AgentWorld) {
    toolbox = Toolbox(world)
    library = LogLibrary(world)
    catalogue = Catalogue(
      server: ["name": "flux-inspect", "version": JSON(stringLiteral: world.version)],
      tools: toolbox.tools.map { $0.json(canReplay: world.canReplay) },
      prompts: AgentPrompt.all.map(\.json),
      templates: Resources.templates)
  }

  /// Answers a request; the result is nothing if the call was cancelled meanwhile.
  func answer(_ request: AgentRequest, _ call: ToolCall) -> Result<JSONMembers, ProtocolError> {
    let parameters = request.parameters
    do {
      switch request.method {
      case "tools/call": return .success(try callTool(parameters, call))
      case "resources/list": return .success(try Resources.list(parameters, library, call))
      case "resources/read": return .success(try Resources.read(parameters, library, call))
      default: return .success(try AgentPrompt.get(parameters, library, call))
      }
    } catch let error as ProtocolError {
      return .failure(error)
    } catch {
      return .failure(ProtocolError(.invalidParameters, text(of: error)))
    }
  }

  private func callTool(_ parameters: JSON, _ call: ToolCall) throws -> JSONMembers {
    guard let name = parameters["name"]?.string else {
      throw ProtocolError(.invalidParameters, "tools/call: the name of a tool is missing")
    }
    guard let tool = toolbox[name] else {
      let names = toolbox.tools.map(\.name)
      if let refused = Toolbox.all.first(where: { $0.name == name }) {
        let reason =
          refused.access == .replays
          ? "runs the app's code, which this server is not allowed to do: restart it with --app PATH or --attach NAME"
          : "needs a running app: restart the server with --attach NAME"
        throw ProtocolError(.invalidParameters, "\(name) \(reason)")
      }
      let meant =
        Spelling.nearest(to: name, among: names).map { "did you mean \($0)?" }
        ?? "the tools are \(names.joined(separator: ", "))"
      throw ProtocolError(.invalidParameters, "there is no tool \(name.shownInError); \(meant)")
    }
    let arguments = parameters["arguments"].flatMap { $0.isNull ? nil : $0 } ?? [:]
    do {
      let object = try tool.answer(arguments, call, library)
      return [
        ("content", [Self.content(WireText.printable(object))]), ("structuredContent", object),
      ]
    } catch {
      let text = text(of: error)
      let shown = text.cut(toBytes: max(200, call.frame.budget / 4))
      return [
        ("content", [Self.content(shown.printableText)]), ("isError", true),
      ]
    }
  }

  /// A text as the protocol has it in results and prompts.
  static func content(_ text: String) -> JSON {
    ["type": "text", "text": JSON(stringLiteral: text)]
  }

  private func text(of error: any Error) -> String {
    switch error {
    case let failure as ToolFailure: failure.message
    case is TimeOut:
      "the call took longer than \(Int(library.world.timeLimit)) s and was stopped; ask about fewer steps, or for a smaller value"
    default: ToolFailure(CommandError(opening: error)).message
    }
  }
}
