// The page of one part: its picture at the left, tabs at the right.
import { Page } from "./ui";

export function Part(props: { id: string }) {
  return <Page title={props.id}><></></Page>;
}
