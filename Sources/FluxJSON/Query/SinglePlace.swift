/// The place of the one value that a path selects, where the value can be read without the document around it.
package struct SinglePlace: Sendable, Hashable {
  /// A value above the place, which has to be a container of one kind.
  package struct Container: Sendable, Hashable {
    package let pointer: Pointer
    package let kind: JSON.Kind
  }

  package let pointer: Pointer
  /// The containers that the pointer does not tell apart.
  ///
  /// The name `0` selects a member only, and the index 0 an element only. Without them, there is no value at the place.
  package let containers: [Container]

  /// Makes the place at a pointer, whose tokens select members and elements.
  package init(_ pointer: Pointer) {
    (self.pointer, containers) = (pointer, [])
  }

  private init(_ tokens: [String], _ kinds: [(depth: Int, kind: JSON.Kind)]) {
    pointer = Pointer(tokens: tokens)
    containers = kinds.map {
      Container(pointer: Pointer(tokens: tokens.prefix($0.depth)), kind: $0.kind)
    }
  }

  /// Returns the place in the state of the store that contains it.
  package var inState: SinglePlace {
    let tokens = Array(pointer.tokens.dropFirst(Self.stateDepth))
    return SinglePlace(
      tokens, containers.map { ($0.pointer.tokens.count - Self.stateDepth, $0.kind) })
  }

  /// The number of tokens that lead from the document of a step to the state of a store.
  private static let stateDepth = 2

  /// Finds the place that a path selects.
  ///
  /// It is nil if the path may select several values, or is not a place in a store's state or the type of the action.
  init?(_ path: Path) {
    guard let place = path.place else { return nil }
    let tokens = place.tokens
    guard
      (tokens.first == "state" || tokens.first == "before") && tokens.count > 1
        || tokens == ["action", "type"]
    else { return nil }
    var kinds: [(depth: Int, kind: JSON.Kind)] = []
    for (depth, segment) in path.segments.enumerated() {
      switch segment.selectors.first {
      case .name(let name) where depth >= Self.stateDepth && Int(arrayIndex: name.utf8) != nil:
        kinds.append((depth, .object))
      case .index where depth >= Self.stateDepth: kinds.append((depth, .array))
      // A document and its stores have names.
      case .index: return nil
      default: break
      }
    }
    self.init(tokens, kinds)
  }
}

extension Draft {
  /// Returns the value at a place; `nil` if there is none.
  package func value(at place: SinglePlace) -> JSON? {
    do throws(PointerError.Reason) {
      for container in place.containers {
        guard try kind(slot(at: container.pointer)) == container.kind else { return nil }
      }
      return json(try slot(at: place.pointer))
    } catch {
      return nil
    }
  }
}

extension JSON {
  /// Returns the value at a place; `nil` if there is none.
  package func value(at place: SinglePlace) -> JSON? { Draft(self).value(at: place) }
}
