#if canImport(SwiftUI)
  import FluxCore
  import FluxRecorder
  import GroceriesExample
  import SwiftUI

  /// The shopping list, a field for new entries, and a button that shares the recording.
  struct GroceryList: View {
    private let session: AppSession
    @State private var name = ""
    @State private var rejection: String?
    @State private var recording: URL?

    init(_ session: AppSession) { self.session = session }

    var body: some View {
      NavigationStack {
        List {
          ForEach(session.items.value) { item in
            Button {
              session.list.dispatch(.toggle(id: item.id))
            } label: {
              Label(item.name, systemImage: item.isInBasket ? "checkmark.circle.fill" : "circle")
            }
          }
          TextField("New entry", text: $name)
            .onSubmit(add)
          if let message = rejection ?? session.problem {
            Text(message)
          }
        }
        .navigationTitle("Groceries")
        .toolbar {
          Button("Check out") { session.list.dispatch(.checkOut) }
          Button("Record") { recording = session.export() }
          if let recording {
            ShareLink(item: recording)
          }
        }
      }
      .overlay(alignment: .top) {
        #if DEBUG
          InspectorBadge(presentation: session.presentation)
        #endif
      }
    }

    private func add() {
      let outcome = session.list.dispatch(.add(name: name))
      // The badge says why, and the text stays for another try.
      guard outcome.result != .ignored else { return }
      rejection = outcome.rejection?.message
      if rejection == nil { name = "" }
    }
  }

  struct GroceryListPreviews: PreviewProvider {
    static var previews: some View {
      let session = AppSession(Recorder(inMemory: 1 << 20))
      session.list.dispatch(.add(name: "Milk"))
      session.list.dispatch(.add(name: "Bread"))
      return GroceryList(session)
    }
  }
#endif
