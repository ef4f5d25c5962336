// What imports and exports need besides, by one import.
@_exported public import HistoryModel
@_exported public import MessageInterchange
