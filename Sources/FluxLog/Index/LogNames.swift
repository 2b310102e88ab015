import FluxSystem

/// The action types and step shapes of a log, each with a small number.
///
/// Shared by the threads that build the index. Numbers follow the order of discovery, which differs
/// each time a log is opened, so they never leave the index.
final class LogNames: Sendable {
  private struct Tables {
    var types: [String] = []
    var typeIDs: [BytewiseName: UInt32] = [:]
    var shapes: [StepShape] = []
    var shapeIDs: [StepShape: UInt32] = [:]
  }

  private let tables = Monitor(Tables())

  init() {}

  /// Restores the names from a sidecar.
  func restore(types: [String], shapes: [StepShape]) {
    tables.withLock { tables in
      tables = Tables()
      for type in types {
        tables.typeIDs[BytewiseName(type)] = UInt32(tables.types.count)
        tables.types.append(type)
      }
      for shape in shapes {
        tables.shapeIDs[shape] = UInt32(tables.shapes.count)
        tables.shapes.append(shape)
      }
    }
  }

  /// Returns the number of a type.
  ///
  /// There are at most as many numbers as steps, and columns store them in 32 bits.
  func id(ofType type: String) -> UInt32 {
    let name = BytewiseName(type)
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

  /// Returns the numbers of the matching types.
  func types(where matches: (String) -> Bool) -> IDSet {
    IDSet(types.indices.filter { matches(types[$0]) }.map { UInt32($0) })
  }

  /// Returns the numbers of the matching shapes.
  func shapes(where matches: (StepShape) -> Bool) -> IDSet {
    let shapes = shapes
    return IDSet(shapes.indices.filter { matches(shapes[$0]) }.map { UInt32($0) })
  }
}
