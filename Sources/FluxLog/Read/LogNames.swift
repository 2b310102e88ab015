/// The action types and the shapes of steps that a log has, each with a small number.
///
/// Shared by the threads that make the index. Numbers are given in the order of discovery, which
/// differs from one opening to the next: they never leave the index.
final class LogNames: Sendable {
  private struct Tables {
    var types: [String] = []
    var typeIDs: [ExactName: UInt32] = [:]
    var shapes: [StepShape] = []
    var shapeIDs: [StepShape: UInt32] = [:]
  }

  private let tables = Monitor(Tables())

  init() {}

  /// Begins with what a sidecar says.
  func restore(types: [String], shapes: [StepShape]) {
    tables.withLock { tables in
      tables = Tables()
      for type in types {
        tables.typeIDs[ExactName(type)] = UInt32(tables.types.count)
        tables.types.append(type)
      }
      for shape in shapes {
        tables.shapeIDs[shape] = UInt32(tables.shapes.count)
        tables.shapes.append(shape)
      }
    }
  }

  /// The numbers are as many as the steps at most, and a column holds them in 32 bits.
  func id(ofType type: String) -> UInt32 {
    let name = ExactName(type)
    return tables.withLock { tables in
      if let known = tables.typeIDs[name] { return known }
      let id = UInt32(tables.types.count)
      tables.types.append(type)
      tables.typeIDs[name] = id
      return id
    }
  }

  func id(ofShape shape: StepShape) -> UInt32 {
    tables.withLock { tables in
      if let known = tables.shapeIDs[shape] { return known }
      let id = UInt32(tables.shapes.count)
      tables.shapes.append(shape)
      tables.shapeIDs[shape] = id
      return id
    }
  }

  var types: [String] { tables.withLock { $0.types } }

  var shapes: [StepShape] { tables.withLock { $0.shapes } }

  func type(_ id: UInt32) -> String { tables.withLock { $0.types[Int(id)] } }

  func shape(_ id: UInt32) -> StepShape { tables.withLock { $0.shapes[Int(id)] } }

  /// The numbers of the types that match.
  func types(where matches: (String) -> Bool) -> IDSet {
    IDSet(types.indices.filter { matches(types[$0]) }.map { UInt32($0) })
  }

  /// The numbers of the shapes that match.
  func shapes(where matches: (StepShape) -> Bool) -> IDSet {
    let shapes = shapes
    return IDSet(shapes.indices.filter { matches(shapes[$0]) }.map { UInt32($0) })
  }
}
