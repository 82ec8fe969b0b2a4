// Generated from openapi.json by `npm run generate`; edits are lost.
export const int64s = [{"properties":{"id":1}},{"int64":true}];
export const example = "{\"id\":1,\"name\":\"Ficus\",\"tag\":\"indoor\"}";
"use strict";
export const validate = validate0;
export default validate0;
const schema0 = {"$defs":{},"type":"object","required":["body"],"properties":{"body":{"type":"object","required":["id","name"],"properties":{"id":{"numericType":["int64"]},"name":{"type":"string","wellFormed":true},"tag":{"type":"string","wellFormed":true}}}}};

function validate0(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.body === undefined){
const err0 = {instancePath,params:{at: "body"},message:"is required"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.body !== undefined){
let data0 = data.body;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.id === undefined){
const err1 = {instancePath:instancePath+"/body",params:{at: "id"},message:"is required"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.name === undefined){
const err2 = {instancePath:instancePath+"/body",params:{at: "name"},message:"is required"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.id !== undefined){
if(!(typeof data0.id === "bigint")){
const err3 = {instancePath:instancePath+"/body/id",params:{},message:"must be an integer from -9223372036854775808 to 9223372036854775807"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data0.name !== undefined){
let data2 = data0.name;
if(typeof data2 === "string"){
if(!data2.isWellFormed()){
const err4 = {instancePath:instancePath+"/body/name",params:{},message:"must be well-formed Unicode, without lone surrogates"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/body/name",params:{},message:"must be a string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data0.tag !== undefined){
let data3 = data0.tag;
if(typeof data3 === "string"){
if(!data3.isWellFormed()){
const err6 = {instancePath:instancePath+"/body/tag",params:{},message:"must be well-formed Unicode, without lone surrogates"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/body/tag",params:{},message:"must be a string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/body",params:{},message:"must be an object"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,params:{},message:"must be an object"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate0.errors = vErrors;
return errors === 0;
}
