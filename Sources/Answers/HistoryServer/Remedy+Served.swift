package import MessageModel

extension Remedy {
  /// The way out for those who ask by addresses: the questions of docs/json.md and, for what a server that only reads
  /// cannot do, the commands of the program that has it run.
  package var served: String {
    switch self {
    case .words(let text): text
    case .listConversations: "a name from the list of conversations"
    case .listSenders: "a name from the list of senders"
    case .listPeople: "a name from the list of people"
    case .listFilters: "a name from the list of saved filters"
    case .checkStore: "scrollback check"
    case .repairStore: "scrollback check --repair"
    case .makeStore: "scrollback import FILE, which makes it"
    case .importOrSalvage: "scrollback import FILE; if it was a store, scrollback salvage FILE -o NEW"
    case .importWithFiles: "scrollback import, with the files beside"
    case .changeAndPublish: "change the store that it comes from, then: scrollback publish"
    case .publish: "scrollback publish, or another database"
    case .openAnotherStore: "another --store"
    case .openLocalStore: "a --store on a disk of this computer"
    // Of those who write.
    case .exportAndImport, .openStore, .goWithoutBackup, .writeIntoNewFolder, .searchMessages, .showMessage,
      .mergeConversations,
      .listImports,
      .listSources, .mapColumns:
      description
    }
  }
}
