import FluxJSON

/// The stop points of a session, in the order of their numbers.
struct StopPoints: Sendable {
  private(set) var points: [StopPoint] = []
  private var lastNumber = 0

  /// The points at which moves stop now.
  var enabled: [StopPoint] { points.filter(\.isEnabled) }

  mutating func add(
    _ kind: StopPoint.Kind, if condition: QueryExpression?, isTemporary: Bool
  ) -> StopPoint {
    lastNumber += 1
    let point = StopPoint(
      number: lastNumber, kind: kind, condition: condition, isTemporary: isTemporary)
    points.append(point)
    return point
  }

  /// Counts that points were reached, and deletes the temporary ones.
  mutating func reach(_ numbers: [Int]) {
    for place in points.indices where numbers.contains(points[place].number) {
      points[place].hits += 1
    }
    points.removeAll { $0.isTemporary && numbers.contains($0.number) }
  }

  /// The index of a point; an error if there is none.
  func index(of number: Int) throws(CommandError) -> Int {
    if let index = points.firstIndex(where: { $0.number == number }) { return index }
    throw CommandError(.notFound, "no stop point \(number)", next: .listStopPoints)
  }

  mutating func remove(_ number: Int) throws(CommandError) -> StopPoint {
    points.remove(at: try index(of: number))
  }

  mutating func change(
    _ number: Int, _ change: (inout StopPoint) -> Void
  ) throws(CommandError) -> StopPoint {
    let index = try index(of: number)
    change(&points[index])
    return points[index]
  }
}
